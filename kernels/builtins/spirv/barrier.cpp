// Barriers and fences.
//
// A barrier orders the accesses of its items in any case. The order argument is about visibility to
// other work-groups or devices; a barrier that acquires and releases at their scope implies every
// order except seq_cst.
#include "../generic/group.hpp"
#include "fence.hpp"

namespace spirv {

void ControlBarrier(u32 execution, u32 memory, u32 semantics) SPIRV_GROUP_OP(ControlBarrier, "all");

} // namespace spirv

#define MEET(WHO, ORDER) WITH_SCOPE(s, spirv::ControlBarrier(WHO, SCOPE, spirv::semantics(ORDER)))

SSCP_BUILTIN CONVERGENT void __acpp_sscp_work_group_barrier(scope s, order o) {
  if (o == order::relaxed)
    spirv::ControlBarrier(spirv::workgroup, spirv::workgroup, spirv::semantics(__ATOMIC_ACQ_REL));
  else if (o == order::seq_cst)
    MEET(spirv::workgroup, __ATOMIC_SEQ_CST)
  else
    MEET(spirv::workgroup, __ATOMIC_ACQ_REL)
}

// Without sub-groups there is no other item to wait for.
SSCP_BUILTIN CONVERGENT void __acpp_sscp_sub_group_barrier(scope s, order o) {
  if (!__sinter_spirv_has_sub_groups()) {
    if (s > scope::sub_group)
      fence(o, s);
  } else if (o == order::relaxed || s <= scope::sub_group) {
    spirv::ControlBarrier(spirv::subgroup, spirv::subgroup, spirv::semantics(__ATOMIC_ACQ_REL));
  } else if (o == order::seq_cst) {
    MEET(spirv::subgroup, __ATOMIC_SEQ_CST)
  } else {
    MEET(spirv::subgroup, __ATOMIC_ACQ_REL)
  }
}

SSCP_BUILTIN void __acpp_sscp_fence(order o, scope s) { fence(o, s); }
