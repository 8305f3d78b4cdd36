// Barriers and fences.
//
// bar.sync orders the accesses of the work-group's items among each other, as bar.warp.sync does
// for its members. Visibility to other work-groups or devices needs a fence of that scope before.
#include "fence.hpp"
#include "warp.hpp"

SSCP_BUILTIN CONVERGENT void __acpp_sscp_work_group_barrier(scope s, order o) {
  if (s > scope::work_group)
    fence(o, s);
  __nvvm_bar_sync(0);
}

SSCP_BUILTIN CONVERGENT void __acpp_sscp_sub_group_barrier(scope s, order o) {
  if (s > scope::sub_group)
    fence(o, s);
  __nvvm_bar_warp_sync(sub_group::member_mask());
}

SSCP_BUILTIN void __acpp_sscp_fence(order o, scope s) { fence(o, s); }
