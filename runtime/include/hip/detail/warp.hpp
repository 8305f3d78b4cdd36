// Warps: sub-groups of 32 work-items, which a kernel that calls one of these functions requires.
#ifndef HIP_DETAIL_WARP_HPP
#define HIP_DETAIL_WARP_HPP

#include "synchronize.hpp"

static constexpr int warpSize = 32;

#endif
