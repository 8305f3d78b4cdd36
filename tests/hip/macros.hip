// Conditions of the preprocessor about macros that are not defined in code for both sides.
#include <hip/hip_runtime.h>

#ifdef __HIP_DEVICE_COMPILE__ // Outside of functions the answer is that of the host.
#error "never"
#endif

__host__ __device__ int both(int x) {
#ifdef __CUDA_ARCH__ // 9
  return x + 1;
#elif defined(__HIP_DEVICE_COMPILE__) // 11
  return x + 2;
#else
  return x;
#endif
}
template <class T> __device__ T generic(T x) {
#if __CUDA_ARCH__ >= 600 // Functions for devices alone have the answer of a device.
  x += 1;
#endif
  return x;
}
__global__ void kernel(int *out) {
#if !defined(__CUDA_ARCH__)
  *out = generic(both(1)) + static_cast<int>(generic(2.0));
#endif
}
int on_host(int x) {
#ifndef __CUDA_ARCH__ // The host's function has the host's answer.
  ++x;
#endif
  return x;
}
