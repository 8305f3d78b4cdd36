// Cooperative groups.
#ifndef HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_HIP_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"

#ifdef __HIP__
#include "detail/group_functions.hpp"
#include "detail/wide_tiles.hpp"
#ifndef SINTER_HIP_IS_CUDA
#include "detail/group_reductions.hpp"
#endif
#endif

#endif
