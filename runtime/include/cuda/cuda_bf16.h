// CUDA's names of `__hip_bfloat16`, `__hip_bfloat162` and their functions.
#ifndef CUDA_CUDA_BF16_H
#define CUDA_CUDA_BF16_H

#include "cuda_runtime.h"

#include "../hip/detail/bfloat16.hpp"

using __nv_bfloat16 = __hip_bfloat16;
using __nv_bfloat162 = __hip_bfloat162;
using __nv_bfloat16_raw = __hip_bfloat16_raw;
using __nv_bfloat162_raw = __hip_bfloat162_raw;
using nv_bfloat16 = __hip_bfloat16;
using nv_bfloat162 = __hip_bfloat162;

#endif
