// Barriers and fences.
//
// The barrier instruction orders no accesses: a release fence before it and an acquire fence after
// it do, at least for the work-group. The order argument is about visibility to other work-groups
// or devices; an acquire or release that it does not include is done for the group alone.
#include "../generic/group.hpp"
#include "fence.hpp"

namespace {

FENCE_INLINE scope larger(scope a, scope b) { return a < b ? b : a; }

FENCE_INLINE void before(scope least, scope s, order o) {
  release_fence(o == order::relaxed || o == order::acquire ? least : larger(least, s));
}

FENCE_INLINE void behind(scope least, scope s, order o) {
  acquire_fence(o == order::relaxed || o == order::release ? least : larger(least, s));
}

} // namespace

SSCP_BUILTIN CONVERGENT void __acpp_sscp_work_group_barrier(scope s, order o) {
  before(scope::work_group, s, o);
  __builtin_amdgcn_s_barrier();
  behind(scope::work_group, s, o);
}

SSCP_BUILTIN CONVERGENT void __acpp_sscp_sub_group_barrier(scope s, order o) {
  before(scope::sub_group, s, o);
  __builtin_amdgcn_wave_barrier();
  behind(scope::sub_group, s, o);
}

SSCP_BUILTIN void __acpp_sscp_fence(order o, scope s) { fence(o, s); }
