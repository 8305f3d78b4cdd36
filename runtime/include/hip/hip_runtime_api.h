// The API of HIP for host code in C and C++, also for files that have no kernels.
#ifndef HIP_HIP_RUNTIME_API_H
#define HIP_HIP_RUNTIME_API_H

#include "detail/streams.hpp"
#ifdef __cplusplus
#include "detail/launches.hpp"
#include "detail/typed_memory.hpp"
#ifndef SINTER_HIP_IS_CUDA
#include "detail/vector_operators.hpp"
#endif
#endif

#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 0
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60000000

#endif
