// The unit in CUDA.
#include <cstdio>

__constant__ int scale = 1;
static __global__ void add(int *values, int count, int by) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    values[i] += by * scale;
}

void add_in_cuda(int *values, int count, int by) {
  add<<<(count + 63) / 64, 64>>>(values, count, by);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    std::puts(sinter_hip_last_message());
}
