// Rows of 32 consecutive work-items, which replace sub-groups in work-group collectives: a device's
// sub-groups need not follow the order of linear IDs. The items of a row exchange values through
// local memory; the first one combines them in order. To be included after the definition of
// work_group::barrier().
#pragma once
#include "../generic/slots.hpp"

namespace sub_group {
// Separate from the device's sub-groups, which have functions of these names.
inline namespace rows {

INLINED constexpr u32 width() { return 32; }
INLINED u32 lane() { return (u32)group::local_linear_id() % width(); }
INLINED u32 uniform(u32 x) { return x; }

} // namespace rows
} // namespace sub_group

#include "../generic/sub_groups.hpp"

namespace sub_group {
inline namespace rows {

INLINED u32 row_start() { return group::linear_id() - lane(); }

template <class T> INLINED void tell(T x) {
  *work_group::slot<T>(group::linear_id()) = x;
  work_group::barrier();
}

// Called only if there is one row.
template <class T> INLINED T from(T x, u32 item) {
  tell(x);
  T result = *work_group::slot<T>(item % width());
  work_group::barrier();
  return result;
}
template <class T> INLINED T broadcast(T x, u32 sender) { return from(x, sender); }

// The first item of the row has the result; if there is one row, all items have it.
template <class T> INLINED T reduce(operation op, T x) {
  tell(x);
  bool is_only = group::sub_groups() == 1;
  if (is_only || lane() == 0) {
    u32 first = row_start(), count = members();
    x = *work_group::slot<T>(first);
    for (u32 i = 1; i < count; ++i)
      x = combine(op, x, *work_group::slot<T>(first + i));
  }
  if (is_only)
    work_group::barrier();
  return x;
}

// The results stay in the slots.
template <class T> INLINED T inclusive_scan(operation op, T x) {
  tell(x);
  if (lane() == 0) {
    u32 count = members();
    for (u32 i = 1; i < count; ++i) {
      x = combine(op, x, *work_group::slot<T>(group::linear_id() + i));
      *work_group::slot<T>(group::linear_id() + i) = x;
    }
  }
  work_group::barrier();
  x = *work_group::slot<T>(group::linear_id());
  if (group::sub_groups() == 1)
    work_group::barrier();
  return x;
}

// `before` is the result of the first work-item; every other one combines it with the scan up to
// the previous item, which is in the slots.
template <class T> INLINED T after(operation op, T before, T) {
  T result = before;
  if (lane() != 0)
    result = combine(op, before, *work_group::slot<T>(group::linear_id() - 1));
  work_group::barrier();
  return result;
}

} // namespace rows
} // namespace sub_group
