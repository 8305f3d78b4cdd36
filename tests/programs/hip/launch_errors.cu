// levels: 2
// A launch that cannot run is told by the next call for the last error, in words of CUDA.
#include <cstdio>
#include <cstring>

#define EXPECT(condition)                                                                                             \
  if (!(condition))                                                                                                  \
  return std::printf("%d: %s: %s, %s\n", __LINE__, #condition, cudaGetErrorName(cudaPeekAtLastError()),              \
                     sinter_hip_last_message()),                                                                     \
         1

namespace app {
template <class T> __global__ void scale(T *values, T by) { values[threadIdx.x] *= by; }
__global__ void sums(int *out) {
  extern __shared__ int numbers[];
  __shared__ int more[64];
  more[threadIdx.x % 64] = numbers[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = numbers[0] + more[0];
}
} // namespace app

static bool told(const char *part) { return std::strstr(sinter_hip_last_message(), part) != nullptr; }

int main() {
  float *values = nullptr;
  EXPECT(cudaMalloc(&values, 1024 * sizeof(float)) == cudaSuccess);
  app::scale<<<1, 1 << 20>>>(values, 2.0f);
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(told("app::scale<float>") && told("1048576 threads") && !told("nd_range") && !told("work-"));
  app::scale<<<0, 64>>>(values, 2.0f);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration && told("grid"));
  app::scale<<<1, dim3(2, 0)>>>(values, 2.0f);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  app::sums<<<1, 64, size_t(1) << 30>>>(reinterpret_cast<int *>(values));
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(told("app::sums") && told("__shared__") && told("block") && !told("work-group"));
  void *arguments[] = {&values};
  const int number[4] = {};
  EXPECT(cudaLaunchKernel(static_cast<const void *>(number), dim3(1), dim3(1), arguments, 0, nullptr) ==
         cudaErrorInvalidDeviceFunction);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDeviceFunction && told("sinter-cc"));
  // A later launch is not affected.
  app::scale<<<1, 64>>>(values, 2.0f);
  EXPECT(cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(cudaFree(values) == cudaSuccess);
  std::puts("PASS");
}
