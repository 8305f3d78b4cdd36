// levels: 2
// Kernels are launched by a function template where a program asks for it, as AMD's header does.
#define HIP_TEMPLATE_KERNEL_LAUNCH
#include <cstdio>
#include <hip/hip_runtime.h>

template <typename T, int Factor> __global__ void scale(T *values, T summand) {
  values[threadIdx.x] = values[threadIdx.x] * Factor + summand;
}

int main() {
  int *values = nullptr;
  int results[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  if (hipMalloc(&values, sizeof results) != hipSuccess)
    return 1;
  if (hipMemcpy(values, results, sizeof results, hipMemcpyHostToDevice) != hipSuccess)
    return 2;
  hipLaunchKernelGGL(scale<int, 3>, dim3(1), dim3(8), 0, hipStreamDefault, values, 5);
  if (hipMemcpy(results, values, sizeof results, hipMemcpyDeviceToHost) != hipSuccess)
    return 3;
  for (int i = 0; i < 8; i++)
    if (results[i] != i * 3 + 5)
      return 4;
  std::puts(hipFree(values) == hipSuccess ? "PASS" : "FAIL");
}
