// Rates at which kernels read `__constant__` variables, in GFLOP/s; larger is better.
//
// For `nvcc` of this project and for CUDA's: `nvcc -O3 constants.cu -o constants && ./constants`.
// Each figure is the best of 20 launches.
#include <cstdio>
#include <cuda_runtime.h>

#define FINE(call)                                                                                                     \
  do                                                                                                                   \
    if (const cudaError_t error = call) {                                                                              \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error));                                                       \
      return 1;                                                                                                        \
    }                                                                                                                  \
  while (false)

constexpr int count = 64;
constexpr int rounds = 64;
__constant__ float factors[count];

__global__ void unrolled(float *out, int n) {
  float x = threadIdx.x, y = blockIdx.x;
  for (int round = 0; round != n; ++round) {
#pragma unroll
    for (int i = 0; i != count; ++i) {
      x = x * factors[i] + y;
      y = y * factors[count - 1 - i] + x;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}

__global__ void looped(float *out, int n) {
  float x = threadIdx.x, y = blockIdx.x;
  for (int round = 0; round != n; ++round) {
#pragma unroll 1
    for (int i = 0; i < count; i += 4) {
      x = x * factors[i] + y;
      y = y * factors[i + 1] + x;
      x = x * factors[i + 2] + y;
      y = y * factors[i + 3] + x;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}

__global__ void own(float *out, int n) {
  float x = threadIdx.x, y = blockIdx.x;
  for (int round = 0; round != n; ++round) {
#pragma unroll 4
    for (int i = 0; i != count; ++i) {
      x = x * factors[(threadIdx.x + i) % count] + y;
      y = y * factors[(threadIdx.x + i + 7) % count] + x;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}

static float best(void (*kernel)(float *, int), float *out) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  float least = 1e30f;
  for (int run = 0; run != 20; ++run) {
    cudaEventRecord(begin);
    kernel<<<2048, 256>>>(out, rounds);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float time = 0;
    cudaEventElapsedTime(&time, begin, end);
    least = time < least ? time : least;
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return least;
}

int main() {
  float values[count];
  for (int i = 0; i != count; ++i)
    values[i] = 0.5f + i / 1024.0f;
  float *out = nullptr;
  FINE(cudaMalloc(&out, 2048 * 256 * sizeof(float)));
  FINE(cudaMemcpyToSymbol(factors, values, sizeof values));
  const struct {
    const char *name;
    void (*kernel)(float *, int);
    double operations;
  } all[] = {{"unrolled", unrolled, 4.0 * count}, {"looped", looped, 2.0 * count}, {"own", own, 4.0 * count}};
  for (const auto &one : all) {
    const float time = best(one.kernel, out);
    FINE(cudaGetLastError());
    std::printf("%-10s %10.0f GFLOP/s\n", one.name, one.operations * rounds * 2048 * 256 / (time * 1e6));
  }
  FINE(cudaFree(out));
}
