// levels: 0 2
// standards: c++11 c++17
// A kernel with a struct, shared memory of both kinds and a device function, as HIP programs start.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

struct alignas(16) Factors {
  float scale;
  char unused;
  double offset;
};

__device__ float twice(float x) { return 2 * x; }

__global__ void __launch_bounds__(256) reverse(int n, float *values, char, Factors factors) {
  __shared__ float tile[64];
  extern __shared__ float indices[];
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  tile[threadIdx.x] = values[i];
  indices[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = 63 - threadIdx.x;
  if (i < n)
    values[i] = twice(tile[other]) * factors.scale + indices[other] + static_cast<float>(factors.offset);
}

template <class Body> __global__ void for_each(int n, Body body) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    body(i);
}

int main() {
  const int n = 256;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = i;
  float *device = nullptr;
  int *sum = nullptr;
  if (hipMalloc(&device, n * sizeof(float)) != hipSuccess || hipMalloc(&sum, sizeof(int)) != hipSuccess)
    return std::puts("no memory"), 1;
  hipMemcpy(device, host.data(), n * sizeof(float), hipMemcpyHostToDevice);
  hipMemset(sum, 0, sizeof(int));
  reverse<<<4, 64, 64 * sizeof(float)>>>(n, device, 'x', Factors{0.5f, 0, 1});
  for_each<<<dim3(5), dim3(64)>>>(n, [=] __device__(int i) { atomicAdd(sum, i); });
  if (hipGetLastError() != hipSuccess || hipDeviceSynchronize() != hipSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  int total = 0;
  hipMemcpy(host.data(), device, n * sizeof(float), hipMemcpyDeviceToHost);
  hipMemcpy(&total, sum, sizeof(int), hipMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    const int other = 63 - i % 64;
    const float expected = static_cast<float>(i / 64 * 64 + other) + other + 1;
    if (host[i] != expected)
      return std::printf("%d: %g instead of %g\n", i, host[i], expected), 1;
  }
  if (total != n * (n - 1) / 2)
    return std::printf("the sum is %d\n", total), 1;
  hipFree(sum);
  hipFree(device);
  std::puts("PASS");
}
