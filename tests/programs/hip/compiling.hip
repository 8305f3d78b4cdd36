// Code for devices alone is chosen as in a parse for devices.
#include <cstdio>

__device__ int chosen() {
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__CUDA_ARCH__)
  return 1;
#else
  return 0;
#endif
}

__global__ void choose(int *p) {
#if __HIP_DEVICE_COMPILE__
  *p = chosen();
#endif
}

int main() {
#ifdef __HIP_DEVICE_COMPILE__
  return 1;
#endif
  int *p = nullptr, found = 0;
  if (hipMalloc(&p, sizeof found) != hipSuccess)
    return 1;
  choose<<<1, 1>>>(p);
  const hipError_t code = hipMemcpy(&found, p, sizeof found, hipMemcpyDeviceToHost);
  std::puts(code == hipSuccess && found == 1 ? "PASS" : "FAIL");
}
