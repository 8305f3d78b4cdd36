// Barriers and fences.
//
// barrier.sync orders the accesses of the work-group's items among each other, as bar.warp.sync
// does for its members. Visibility to other work-groups or devices needs a fence of that scope
// before.
//
// bar.sync is barrier.sync.aligned: all items of a warp must be at the same one, else it may wait
// for ever. Programs have barriers in branches that a part of a warp takes. Where a warp is known
// not to be divided, the assembler makes the same machine code of both.
#include "fence.hpp"
#include "warp.hpp"

SSCP_BUILTIN CONVERGENT void __acpp_sscp_work_group_barrier(scope s, order o) {
  if (s > scope::work_group)
    fence(o, s);
  __nvvm_barrier_sync(0);
}

SSCP_BUILTIN CONVERGENT void __acpp_sscp_sub_group_barrier(scope s, order o) {
  if (s > scope::sub_group)
    fence(o, s);
  __nvvm_bar_warp_sync(sub_group::member_mask());
}

SSCP_BUILTIN void __acpp_sscp_fence(order o, scope s) { fence(o, s); }
