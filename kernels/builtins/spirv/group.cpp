// Collectives of a work-group: instructions if the device has them for every operation, else rows
// of work-items.
#include "arithmetic.hpp"

extern "C" CONVERGENT void __acpp_sscp_work_group_barrier(scope, order);

namespace work_group {

INLINED void barrier() { __acpp_sscp_work_group_barrier(scope::work_group, order::acq_rel); }

} // namespace work_group

#include "row.hpp"

#include "../generic/collectives.hpp"

namespace collective {

using work_group::broadcast;
using work_group::take;

INLINED bool has_instructions() { return __sinter_spirv_has_uniform_group_arithmetic(); }

template <class T> INLINED T reduce(operation op, T x) {
  if (has_instructions())
    return spirv::reduce_by(spirv::of_work_group{}, op, x, group::linear_range() == 1);
  return work_group::reduce(op, x);
}

template <class T> INLINED T inclusive_scan(operation op, T x) {
  if (has_instructions())
    return spirv::inclusive_scan_by(spirv::of_work_group{}, op, x, group::linear_id() == 0);
  return work_group::inclusive_scan(op, x);
}

template <class T> INLINED T exclusive_scan(operation op, T x, T init) {
  if (has_instructions())
    return spirv::exclusive_scan_by(spirv::of_work_group{}, op, x, init, group::linear_id() == 0);
  return work_group::exclusive_scan(op, x, init);
}

INLINED bool any(bool x) {
  if (has_instructions())
    return spirv::GroupAny(spirv::workgroup, x);
  return work_group::reduce(operation::logical_or, (u8)x) != 0;
}

INLINED bool all(bool x) {
  if (has_instructions())
    return spirv::GroupAll(spirv::workgroup, x);
  return work_group::reduce(operation::logical_and, (u8)x) != 0;
}

} // namespace collective

#include "../generic/group_functions.hpp"

SSCP_COLLECTIVE bool __acpp_sscp_work_group_any(bool x) { return collective::any(x); }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_all(bool x) { return collective::all(x); }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_none(bool x) { return !collective::any(x); }
