// Collectives of a work-group.
#include "warp.hpp"

namespace work_group {

INLINED void barrier() { __nvvm_bar_sync(0); }

} // namespace work_group

#include "../generic/collectives.hpp"

namespace collective = work_group;

#include "../generic/group_functions.hpp"

// A vote is one barrier instruction with a reduction.
SSCP_COLLECTIVE bool __acpp_sscp_work_group_any(bool x) { return __nvvm_bar0_or(x) != 0; }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_all(bool x) { return __nvvm_bar0_and(x) != 0; }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_none(bool x) { return __nvvm_bar0_or(x) == 0; }
