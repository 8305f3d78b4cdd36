// Position of the work-item in the launch. Every number is below 2^31.
//
// Sizes are implicit arguments after those of the kernel ("User Guide for AMDGPU Backend", "Code
// Object V5 Metadata"): hidden_block_count_{x,y,z} are 32 bits each from byte 0 on,
// hidden_group_size_{x,y,z} 16 bits each from byte 12 on. Every work-group is full.
#include "../generic/types.hpp"

template <class T> static inline T implicit_argument(u32 offset) {
  using arguments = __attribute__((address_space(4))) const u8;
  return *(__attribute__((address_space(4))) const T *)((arguments *)__builtin_amdgcn_implicitarg_ptr() + offset);
}

#define AXIS(NAME, NUMBER)                                                                                             \
  SSCP_BUILTIN u64 __acpp_sscp_get_local_id_##NAME() { return (u32)__builtin_amdgcn_workitem_id_##NAME(); }            \
  SSCP_BUILTIN u64 __acpp_sscp_get_group_id_##NAME() { return (u32)__builtin_amdgcn_workgroup_id_##NAME(); }           \
  SSCP_BUILTIN u64 __acpp_sscp_get_local_size_##NAME() { return implicit_argument<u16>(12 + 2 * NUMBER); }             \
  SSCP_BUILTIN u64 __acpp_sscp_get_num_groups_##NAME() { return implicit_argument<u32>(4 * NUMBER); }

AXIS(x, 0)
AXIS(y, 1)
AXIS(z, 2)
