// Included by sinter-cc before the sources of a command line with CUDA. Of these some may be host
// code, for which it is empty. Warnings are for the program's own code.
#pragma clang system_header
#ifdef __HIP__
#define __CUDACC__ 1
#define __NVCC__ 1
#define SINTER_HIP_IS_CUDA 1
#include "cuda_runtime.h"
#endif
