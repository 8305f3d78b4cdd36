// The API of CUDA's runtime, and in files that are compiled as CUDA device code's functions.
#ifndef CUDA_CUDA_RUNTIME_H
#define CUDA_CUDA_RUNTIME_H

#define __CUDA_RUNTIME_H__
#include "cuda_runtime_api.h"

#include "../hip/hip_runtime.h"

#endif
