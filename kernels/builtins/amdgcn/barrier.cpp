// Barriers and fences.
//
// The instruction orders no accesses: what was written before is released and what is read behind
// is acquired, at least for the items that meet at the barrier. An order says what other
// work-groups or devices are to see; the part of it that is not asked for is done for the group
// alone.
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
