// Position of the work-item in the launch. The translator adds the ranges of the numbers.
#include "instructions.hpp"

namespace spirv {

u64 LocalInvocationId(u32 axis) SPIRV_BUILTIN(LocalInvocationId);
u64 WorkgroupId(u32 axis) SPIRV_BUILTIN(WorkgroupId);
u64 WorkgroupSize(u32 axis) SPIRV_BUILTIN(WorkgroupSize);
u64 NumWorkgroups(u32 axis) SPIRV_BUILTIN(NumWorkgroups);

} // namespace spirv

#define INLINED __attribute__((always_inline)) static inline

// A flat group is launched as a row along x, which has its work-items in linear order.
INLINED bool is_flat() { return __sinter_spirv_flat_x() != 0; }

SSCP_BUILTIN u64 __acpp_sscp_get_local_size_x() {
  return is_flat() ? (u32)__sinter_spirv_flat_x() : spirv::WorkgroupSize(0);
}
SSCP_BUILTIN u64 __acpp_sscp_get_local_size_y() {
  return is_flat() ? (u32)__sinter_spirv_flat_y() : spirv::WorkgroupSize(1);
}
SSCP_BUILTIN u64 __acpp_sscp_get_local_size_z() {
  return is_flat() ? (u32)__sinter_spirv_flat_z() : spirv::WorkgroupSize(2);
}

INLINED u32 in_row() { return (u32)spirv::LocalInvocationId(0); }
INLINED u32 flat_row() { return (u32)__sinter_spirv_flat_x(); }
INLINED u32 flat_slice() { return flat_row() * (u32)__sinter_spirv_flat_y(); }

SSCP_BUILTIN u64 __acpp_sscp_get_local_id_x() {
  return is_flat() ? in_row() % flat_row() : spirv::LocalInvocationId(0);
}
SSCP_BUILTIN u64 __acpp_sscp_get_local_id_y() {
  return is_flat() ? in_row() % flat_slice() / flat_row() : spirv::LocalInvocationId(1);
}
SSCP_BUILTIN u64 __acpp_sscp_get_local_id_z() {
  return is_flat() ? in_row() / flat_slice() : spirv::LocalInvocationId(2);
}

#define AXIS(NAME, NUMBER)                                                                                             \
  SSCP_BUILTIN u64 __acpp_sscp_get_group_id_##NAME() { return spirv::WorkgroupId(NUMBER); }                            \
  SSCP_BUILTIN u64 __acpp_sscp_get_num_groups_##NAME() { return spirv::NumWorkgroups(NUMBER); }

AXIS(x, 0)
AXIS(y, 1)
AXIS(z, 2)
