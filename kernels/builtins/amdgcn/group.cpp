// Collectives of a work-group.
#include "fence.hpp"
#include "wave.hpp"

namespace work_group {

INLINED void barrier() {
  release_fence(scope::work_group);
  __builtin_amdgcn_s_barrier();
  acquire_fence(scope::work_group);
}

} // namespace work_group

#include "../generic/collectives.hpp"

namespace collective = work_group;

#include "../generic/group_functions.hpp"

namespace {

INLINED bool any(bool x) { return work_group::reduce_sub_groups(operation::logical_or, (u8)sub_group::any(x)) != 0; }
INLINED bool all(bool x) { return work_group::reduce_sub_groups(operation::logical_and, (u8)sub_group::all(x)) != 0; }

} // namespace

SSCP_COLLECTIVE bool __acpp_sscp_work_group_any(bool x) { return any(x); }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_all(bool x) { return all(x); }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_none(bool x) { return !any(x); }
