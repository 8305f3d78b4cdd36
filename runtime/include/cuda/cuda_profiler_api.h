// Marks for a profiler, of which there is none.
#ifndef CUDA_CUDA_PROFILER_API_H
#define CUDA_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

static inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
static inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

#endif
