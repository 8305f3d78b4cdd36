// `__half`, `__half2` and their functions.
#ifndef CUDA_CUDA_FP16_H
#define CUDA_CUDA_FP16_H

#include "cuda_runtime.h"

#include "../hip/detail/half.hpp"

#endif
