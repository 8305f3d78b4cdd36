// Memory of the program that it registers with the device.
#include <cstdio>
#include <cstring>
#include <sys/mman.h>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    if (const cudaError_t e = call; e != cudaSuccess)                                                                  \
      return std::printf("line %d: %s: %s\n", __LINE__, cudaGetErrorName(e), sinter_hip_last_message()), 1;            \
  } while (0)
#define FAILS(code, call)                                                                                              \
  do {                                                                                                                 \
    if (const cudaError_t e = call; e != code)                                                                         \
      return std::printf("line %d: %s instead of " #code "\n", __LINE__, cudaGetErrorName(e)), 1;                      \
    if (cudaGetLastError() != code)                                                                                    \
      return std::printf("line %d: the error was not kept\n", __LINE__), 1;                                            \
  } while (0)

static constexpr size_t page = 4096, count = 4 * page, bytes = count * sizeof(int);

__global__ void twice(int *values) { values[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

// All ranges that are refused while the middle half of the memory is registered.
static int refusals(char *memory) {
  FAILS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(memory + bytes / 4, bytes / 2, 0));
  FAILS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(memory, bytes, cudaHostRegisterMapped));
  FAILS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(memory, bytes / 4 + 1, 0));
  FAILS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(memory + bytes / 2, page, cudaHostRegisterPortable));
  FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory));
  FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory + bytes / 2));
  FAILS(cudaErrorInvalidValue, cudaFreeHost(memory + bytes / 4));
  FAILS(cudaErrorInvalidValue, cudaFree(memory + bytes / 4));
  return 0;
}

static int arguments(char *memory) {
  void *seen = nullptr;
  FAILS(cudaErrorInvalidValue, cudaHostRegister(nullptr, page, 0));
  FAILS(cudaErrorInvalidValue, cudaHostRegister(memory, 0, 0));
  FAILS(cudaErrorInvalidValue, cudaHostRegister(memory, page, 0x100));
  FAILS(cudaErrorNotSupported, cudaHostRegister(memory, page, cudaHostRegisterIoMemory));
  FAILS(cudaErrorInvalidValue, cudaHostUnregister(nullptr));
  FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory));
  FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&seen, memory, 0));
  int *pinned = nullptr, *device = nullptr;
  CHECK(cudaMallocHost(&pinned, page));
  CHECK(cudaMalloc(&device, page));
  FAILS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(pinned, page, 0));
  FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(pinned));
  CHECK(cudaHostGetDevicePointer(&seen, pinned + 1, 0));
  FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&seen, pinned, 1));
  FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&seen, device, 0));
  FAILS(cudaErrorInvalidValue, cudaHostRegister(device, page, 0));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(device));
  return 0;
}

static int uses(int *memory) {
  int *seen = nullptr, *device = nullptr;
  for (size_t i = 0; i < count; i++)
    memory[i] = static_cast<int>(i);
  CHECK(cudaHostGetDevicePointer(&seen, memory + count / 4 + 64, 0));
  twice<<<1, 64>>>(seen);
  CHECK(cudaDeviceSynchronize());
  for (size_t i = 0; i < 256; i++)
    if (memory[count / 4 + i] != static_cast<int>((count / 4 + i) * (i >= 64 && i < 128 ? 2 : 1)))
      return std::printf("element %zu is wrong\n", i), 1;
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, memory + count / 2));
  if (attributes.type != cudaMemoryTypeHost || attributes.hostPointer != memory + count / 2)
    return std::puts("not memory of the host"), 1;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&device, bytes / 2));
  CHECK(cudaMemsetAsync(device, 0x11, bytes / 2, stream));
  CHECK(cudaMemcpyAsync(memory + count / 4, device, bytes / 2, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (size_t i = 0; i < count / 2; i++)
    if (memory[count / 4 + i] != 0x11111111)
      return std::puts("a copy is wrong"), 1;
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(device));
  return 0;
}

int main() {
  void *const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *const memory = static_cast<char *>(mapped);
  if (mapped == MAP_FAILED || arguments(memory))
    return 1;
  const cudaError_t registered = cudaHostRegister(memory + bytes / 4, bytes / 2, cudaHostRegisterMapped);
  if (registered == cudaErrorNotSupported) {
    FAILS(cudaErrorNotSupported, registered);
    FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory + bytes / 4));
  } else {
    CHECK(registered);
    if (refusals(memory) || uses(reinterpret_cast<int *>(memory)))
      return 1;
    CHECK(cudaHostUnregister(memory + bytes / 4));
    FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory + bytes / 4));
    CHECK(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
    CHECK(cudaHostUnregister(memory));
  }
  munmap(mapped, bytes);
  std::puts("PASS");
}
