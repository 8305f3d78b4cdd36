// levels: 0 2
// Barriers in branches that a part of the block takes, and of a warp, and in loops of different
// lengths: who does not come waits at the next barrier, or has ended. On NVIDIA GPUs a part of a
// warp may wait for ever, so that only whole warps do so there.
#include <cstdio>
#include <cstring>

template <int offset, int last> struct reduce {
  static __device__ void run(double *array, double *out) {
    __syncthreads();
    if (threadIdx.x < offset) {
      array[threadIdx.x] += array[threadIdx.x + offset];
      reduce<offset / 2, last>::run(array, out);
    }
  }
};
template <int last> struct reduce<last, last> {
  static __device__ void run(double *array, double *out) {
    __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 0; i < (last ? 2 * last : 1); ++i)
        out[blockIdx.x] += array[i];
  }
};

template <int last> __global__ void once(double *result) {
  __shared__ double a[256];
  a[threadIdx.x] = threadIdx.x;
  reduce<128, last>::run(a, result);
}

template <int last> __global__ void twice(double *result) {
  __shared__ double a[256], b[256];
  a[threadIdx.x] = threadIdx.x, b[threadIdx.x] = 3 * threadIdx.x;
  reduce<128, last>::run(a, result);
  reduce<128, last>::run(b, result + gridDim.x);
}

// The work-items beyond `count` have ended; the others keep values across barriers.
__global__ void some(double *result, unsigned count) {
  extern __shared__ double dynamic[];
  __shared__ double total;
  if (threadIdx.x >= count)
    return;
  if (threadIdx.x == 0)
    total = 0;
  const double own = threadIdx.x * 0.5;
  dynamic[threadIdx.x] = own;
  __syncthreads();
  const double next = dynamic[(threadIdx.x + 1) % count];
  __syncthreads();
  dynamic[threadIdx.x] = own + next;
  __syncthreads();
  if (threadIdx.x == 0)
    for (unsigned i = 0; i < count; ++i)
      total += dynamic[i];
  __syncthreads();
  if (threadIdx.x == count - 1)
    result[blockIdx.x] = total;
}

// Each `width` work-items go round one time more than those before.
__global__ void rounds(int *sums, int width) {
  __shared__ int reached[256];
  int own[4] = {0, 0, 0, 0};
  reached[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = 0; i <= threadIdx.x / width; ++i) {
    ++reached[threadIdx.x];
    ++own[i % 4];
    __syncthreads();
    if (threadIdx.x > 0 && reached[threadIdx.x - 1] < int(i) && threadIdx.x / width == (threadIdx.x - 1) / width)
      own[0] += 1000;
  }
  sums[threadIdx.x] = own[0] + own[1] + own[2] + own[3];
}

template <int last> int check(int width) {
  double *memory = nullptr, results[8] = {};
  int *counts = nullptr, sums[256] = {};
  cudaMalloc(&memory, sizeof results);
  cudaMalloc(&counts, sizeof sums);
  cudaMemset(memory, 0, sizeof results);
  once<last><<<2, 256>>>(memory);
  twice<last><<<2, 256>>>(memory + 2);
  some<<<2, 256, 256 * sizeof(double)>>>(memory + 6, 100);
  rounds<<<1, 256>>>(counts, width);
  cudaMemcpy(sums, counts, sizeof sums, cudaMemcpyDeviceToHost);
  if (cudaMemcpy(results, memory, sizeof results, cudaMemcpyDeviceToHost) != cudaSuccess)
    return std::puts(cudaGetErrorString(cudaGetLastError())), 1;
  cudaFree(memory);
  cudaFree(counts);
  const double sum = 255 * 128, wanted[8] = {sum, sum, sum, sum, 3 * sum, 3 * sum, 4950, 4950};
  for (int i = 0; i < 8; ++i)
    if (results[i] != wanted[i])
      return std::printf("%d: %g\n", i, results[i]), 1;
  for (int i = 0; i < 256; ++i)
    if (sums[i] != i / width + 1)
      return std::printf("%d: %d rounds\n", i, sums[i]), 1;
  return 0;
}

int main() {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
    return std::puts(cudaGetErrorString(cudaGetLastError())), 1;
  const bool whole_warps =
      std::strncmp(properties.gcnArchName, "sm_", 3) == 0 || std::strstr(properties.name, "NVIDIA");
  if (whole_warps ? check<16>(32) : check<0>(1))
    return 1;
  std::puts("PASS");
}
