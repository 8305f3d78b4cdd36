// The kind of memory that a pointer leads to. CPUs cannot tell, and targets that may be CPUs refuse
// the kernel.
#include <cstring>

#include "../check.hpp"

__device__ int variable;

__device__ unsigned kinds(const void *pointer) {
  return __isGlobal(pointer) | __isShared(pointer) << 1 | __isLocal(pointer) << 2;
}

__global__ void ask(unsigned *out, const int *memory, int which) {
  __shared__ int shared[32];
  volatile int own[4] = {which, 1, 2, 3};
  shared[threadIdx.x] = which;
  __syncthreads();
  // A pointer of which the compiler does not know where it leads.
  const void *const all[] = {memory, &variable, shared + which, const_cast<int *>(own) + which};
  for (int i = 0; i != 4; ++i)
    out[4 * threadIdx.x + i] = kinds(all[(i + which) % 4]);
}

int main() {
  unsigned *out = nullptr;
  int *memory = nullptr;
  CHECK(cudaMallocManaged(&out, 4 * 32 * sizeof *out) == cudaSuccess);
  CHECK(cudaMalloc(&memory, 64) == cudaSuccess);
  for (int which = 0; which != 4; ++which) {
    ask<<<1, 32>>>(out, memory, which);
    const cudaError_t error = cudaGetLastError();
    if (error == cudaErrorInvalidDeviceFunction) {
      CHECK(std::strstr(sinter_last_error(), "do not say which memory") != nullptr);
      return pass();
    }
    CHECK(error == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
    const unsigned expected[4] = {1, 1, 2, 4};
    for (int i = 0; i != 4 * 32; ++i)
      CHECK_EQUAL(out[i], expected[(i % 4 + which) % 4]);
  }
  return pass();
}
