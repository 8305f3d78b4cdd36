// Included by sinter-cc before the sources of a command line with CUDA. Of these some may be host
// code, for which it is empty. Warnings are for the program's own code.
#pragma clang system_header
#ifdef __HIP__
#define __CUDACC__ 1
#define __NVCC__ 1
#define SINTER_HIP_IS_CUDA 1
// `__CUDA_ARCH__` in code for devices alone: shuffles take masks, and all that the headers have is
// there, but no code is chosen that only newer devices of NVIDIA run.
#define __sinter_arch 700
#ifdef __HIP_DEVICE_COMPILE__ // By clang, in a parse for devices.
#undef __HIP_DEVICE_COMPILE__
#define __CUDA_ARCH__ __sinter_arch
#endif
#include "cuda_runtime.h"
#endif
