// Position in the work-group in 32 bits, and the sub-group as a warp: 32 work-items that follow each other in the order
// of the linear ids. The last sub-group of a work-group has fewer where its size is no multiple of 32.
#pragma once
#include "../generic/group.hpp"

namespace group {

constexpr u32 warp_size = 32;

INLINED u32 linear_id() { return (u32)local_linear_id(); }
INLINED u32 linear_range() { return (u32)local_linear_range(); }

// The number of the work-item in its sub-group.
INLINED u32 lane() { return __nvvm_read_ptx_sreg_laneid(); }
INLINED u32 warp() { return linear_id() / warp_size; }
INLINED u32 warps() { return (linear_range() + warp_size - 1) / warp_size; }

// Whether all sub-groups of the work-group are whole. Known early where the size of the work-group is.
INLINED bool whole_warps() { return linear_range() % warp_size == 0; }

// The number of work-items in this sub-group.
INLINED u32 members() {
  u32 first = linear_id() & ~(warp_size - 1), rest = linear_range() - first;
  return whole_warps() || rest >= warp_size ? warp_size : rest;
}

INLINED u32 member_mask() { return whole_warps() ? ~0u : ~0u >> (warp_size - members()); }

} // namespace group
