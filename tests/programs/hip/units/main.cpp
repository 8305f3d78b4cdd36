// levels: 0 2
// options: -fgpu-rdc -x hip
// sources: other.cpp
// Kernels, functions and variables of devices in another unit.
#include "shared.hpp"

#include <cstdio>

__device__ int counter = 5;

__global__ void here(int *out) {
  out[threadIdx.x] = of_other_unit(static_cast<int>(threadIdx.x)) + table[threadIdx.x % 4];
  atomicAdd(&counter, 1);
}
// Each unit has one of its own.
static __device__ int own(int x) { return x; }
__global__ void mine(int *out) { out[threadIdx.x] = own(1); }

int main() {
  int *out = nullptr, count = 0;
  if (hipMallocManaged(&out, 32 * sizeof(int)) != hipSuccess)
    return std::puts("no memory"), 1;
  const int numbers[2] = {7, 8};
  hipMemcpyToSymbol(HIP_SYMBOL(table), numbers, sizeof numbers, 2 * sizeof(int));
  here<<<1, 32>>>(out);
  if (hipGetLastError() != hipSuccess || hipDeviceSynchronize() != hipSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  for (int i = 0; i < 32; ++i) {
    const int entries[4] = {1, 2, 7, 8};
    if (out[i] != 2 * i + entries[i % 4])
      return std::printf("%d: %d\n", i, out[i]), 1;
  }
  there<<<1, 32>>>(out);
  launch_there(out);
  if (hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof count) != hipSuccess || count != 5 + 3 * 32)
    return std::printf("%d, %s\n", count, sinter_last_error()), 1;
  hipFree(out);
  std::puts("PASS");
}
