// Cooperative groups.
#ifndef HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_HIP_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"

#ifdef __HIP__
#include "detail/wide_tiles.hpp"
#endif

#endif
