// Position of the work-item in the launch. The translator adds the ranges of the numbers.
#include "instructions.hpp"

namespace spirv {

u64 LocalInvocationId(u32 axis) SPIRV_BUILTIN(LocalInvocationId);
u64 WorkgroupId(u32 axis) SPIRV_BUILTIN(WorkgroupId);
u64 WorkgroupSize(u32 axis) SPIRV_BUILTIN(WorkgroupSize);
u64 NumWorkgroups(u32 axis) SPIRV_BUILTIN(NumWorkgroups);

} // namespace spirv

#define AXIS(NAME, NUMBER)                                                                                             \
  SSCP_BUILTIN u64 __acpp_sscp_get_local_id_##NAME() { return spirv::LocalInvocationId(NUMBER); }                      \
  SSCP_BUILTIN u64 __acpp_sscp_get_group_id_##NAME() { return spirv::WorkgroupId(NUMBER); }                            \
  SSCP_BUILTIN u64 __acpp_sscp_get_local_size_##NAME() { return spirv::WorkgroupSize(NUMBER); }                        \
  SSCP_BUILTIN u64 __acpp_sscp_get_num_groups_##NAME() { return spirv::NumWorkgroups(NUMBER); }

AXIS(x, 0)
AXIS(y, 1)
AXIS(z, 2)
