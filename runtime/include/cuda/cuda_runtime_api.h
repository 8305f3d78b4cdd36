// The API of CUDA's runtime for host code, also for files that have no kernels.
#ifndef CUDA_CUDA_RUNTIME_API_H
#define CUDA_CUDA_RUNTIME_API_H

#ifndef SINTER_HIP_IS_CUDA
#define SINTER_HIP_IS_CUDA 1
#endif
#include "../hip/hip_runtime_api.h"
#include "names.hpp"

// The version of CUDA whose functions these are.
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define CUDARTAPI
#define CUDART_CB

// By these programs tell which of NVIDIA's headers are there.
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_API_H__

#endif
