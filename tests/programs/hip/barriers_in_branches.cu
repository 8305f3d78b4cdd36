// levels: 0 2
// devices: host
// Barriers in branches that a part of the block takes, and of a warp: who does not come waits at
// the next barrier, or has ended. On NVIDIA GPUs a part of a warp may wait for ever there.
#include <cstdio>

template <int offset> struct reduce {
  static __device__ void run(double *array, double *out) {
    __syncthreads();
    if (threadIdx.x < offset) {
      array[threadIdx.x] += array[threadIdx.x + offset];
      reduce<offset / 2>::run(array, out);
    }
  }
};
template <> struct reduce<0> {
  static __device__ void run(double *array, double *out) { *out = array[0]; }
};

__global__ void once(double *result) {
  __shared__ double a[256];
  a[threadIdx.x] = threadIdx.x;
  reduce<128>::run(a, result);
}

__global__ void twice(double *result) {
  __shared__ double a[256], b[256];
  a[threadIdx.x] = threadIdx.x, b[threadIdx.x] = 3 * threadIdx.x;
  reduce<128>::run(a, result);
  reduce<128>::run(b, result + 1);
}

int main() {
  double *memory = nullptr, results[3] = {};
  cudaMalloc(&memory, sizeof results);
  once<<<1, 256>>>(memory);
  twice<<<1, 256>>>(memory + 1);
  if (cudaMemcpy(results, memory, sizeof results, cudaMemcpyDeviceToHost) != cudaSuccess)
    return std::puts(cudaGetErrorString(cudaGetLastError())), 1;
  cudaFree(memory);
  const double sum = 255 * 128;
  if (results[0] != sum || results[1] != sum || results[2] != 3 * sum)
    return std::printf("%g %g %g\n", results[0], results[1], results[2]), 1;
  std::puts("PASS");
}
