// levels: 2
// A device whose kernel failed returns that error from every call until the program resets it.
// The argument chooses the fault, since a process has no second one.
// runs: 2
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define EXPECT(condition)                                                                                             \
  if (!(condition))                                                                                                  \
  return std::printf("%d: %s: %s, %s\n", __LINE__, #condition, cudaGetErrorName(cudaPeekAtLastError()),              \
                     sinter_hip_last_message()),                                                                     \
         1

__global__ void writes(int *place) { place[threadIdx.x] = 1; }
__global__ void asserts(int number) { assert(number == 0); }

int main(int, char **arguments) {
  cudaDeviceProp properties;
  EXPECT(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  const bool is_vulkan = std::strstr(properties.gcnArchName, "vulkan") != nullptr;
  if (is_vulkan || std::strstr(properties.name, "NVIDIA") == nullptr) {
    // A fault of another device ends the process or is not seen, and the launch may not end.
    std::puts("PASS");
    return 0;
  }
  const bool is_assertion = std::atoi(arguments[1]) == 2;
  const cudaError_t wanted = is_assertion ? cudaErrorAssert : cudaErrorIllegalAddress;
  void *memory = nullptr;
  EXPECT(cudaMalloc(&memory, 64) == cudaSuccess);
  if (is_assertion)
    asserts<<<1, 32>>>(1);
  else
    writes<<<1, 32>>>(reinterpret_cast<int *>(0x10));
  EXPECT(cudaDeviceSynchronize() == wanted);
  EXPECT(cudaGetLastError() == wanted && cudaGetLastError() == wanted);
  void *other = nullptr;
  EXPECT(cudaMalloc(&other, 64) == wanted && cudaMemset(memory, 0, 64) == wanted);
  asserts<<<1, 32>>>(0);
  EXPECT(cudaPeekAtLastError() == wanted);
  EXPECT(std::strstr(sinter_hip_last_message(), is_assertion ? "asserts" : "writes") != nullptr);
  EXPECT(cudaDeviceReset() == cudaSuccess && cudaGetLastError() == cudaSuccess);
  std::puts("PASS");
}
