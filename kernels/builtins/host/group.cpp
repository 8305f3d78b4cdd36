// Collectives of a work-group.
//
// Each work-item stores its value in a slot, the leader folds or scans the slots in the order of
// linear IDs, and all read their results. There is a barrier between the three parts, and at the
// end, so that the slots can be reused. The order is fixed, so floating-point results are the same
// in every run. There are 1 to 1024 items, the largest work-group of the host device.
#include "../generic/group.hpp"
#include "../generic/shifts.hpp"

#define LOCAL __attribute__((address_space(3)))

// One array for all collectives of a kernel: two of them never overlap.
[[clang::loader_uninitialized]] static LOCAL u64 slots[1024];

extern "C" CONVERGENT void __acpp_sscp_work_group_barrier(scope, order);

namespace {

template <class T> INLINED LOCAL T *slot(u64 number) { return (LOCAL T *)slots + number; }
INLINED void barrier() { __acpp_sscp_work_group_barrier(scope::work_group, order::acq_rel); }

template <class T> INLINED T broadcast(u64 sender, T x) {
  if (group::local_linear_id() == sender)
    *slot<T>(0) = x;
  barrier();
  T result = *slot<T>(0);
  barrier();
  return result;
}

template <class T> INLINED T reduce(operation op, T x) {
  u64 self = group::local_linear_id();
  *slot<T>(self) = x;
  barrier();
  if (self == 0) {
    T sum = x;
    for (u64 i = 1, count = group::local_linear_range(); i < count; ++i)
      sum = combine(op, sum, *slot<T>(i));
    *slot<T>(0) = sum;
  }
  barrier();
  T result = *slot<T>(0);
  barrier();
  return result;
}

// The result of an item is `init` combined with the values before its own and, if the scan is
// inclusive, its own.
template <bool Inclusive, class T> INLINED T scan(operation op, T x, T init) {
  u64 self = group::local_linear_id();
  *slot<T>(self) = x;
  barrier();
  if (self == 0) {
    T sum = Inclusive ? x : init;
    for (u64 i = Inclusive ? 1 : 0, count = group::local_linear_range(); i < count; ++i) {
      T next = combine(op, sum, *slot<T>(i));
      *slot<T>(i) = Inclusive ? next : sum;
      sum = next;
    }
  }
  barrier();
  T result = *slot<T>(self);
  barrier();
  return result;
}

// The value of another item; the item's own if there is no such item.
template <class T> INLINED T take(T x, u64 from) {
  u64 self = group::local_linear_id();
  *slot<T>(self) = x;
  barrier();
  T result = from < group::local_linear_range() ? *slot<T>(from) : x;
  barrier();
  return result;
}

} // namespace

#define MOVE(T)                                                                                                        \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_broadcast_##T(i32 sender, T x) { return broadcast((u64)(u32)sender, x); }    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_shift_left_##T(T x, u32 delta) {                                             \
    return take(x, group::local_linear_id() + delta);                                                                  \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_shift_right_##T(T x, u32 delta) {                                            \
    return take(x, group::local_linear_id() - delta);                                                                  \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_permute_##T(T x, i32 mask) {                                                 \
    return take(x, group::local_linear_id() ^ (u64)(u32)mask);                                                         \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_select_##T(T x, i32 from) { return take(x, (u64)(u32)from); }

#define COMBINE(T)                                                                                                     \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_reduce_##T(operation op, T x) { return reduce(op, x); }                      \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_inclusive_scan_##T(operation op, T x) { return scan<true>(op, x, x); }       \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_exclusive_scan_##T(operation op, T x, T init) {                              \
    return scan<false>(op, x, init);                                                                                   \
  }

#define SHIFT_WORK(T) SHIFT(work_group, T)

ALL_MOVED(MOVE)
ALL_MOVED(SHIFT_WORK)
ALL_COMBINED(COMBINE)

SSCP_COLLECTIVE bool __acpp_sscp_work_group_any(bool x) { return reduce(operation::logical_or, (u8)x) != 0; }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_all(bool x) { return reduce(operation::logical_and, (u8)x) != 0; }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_none(bool x) { return reduce(operation::logical_or, (u8)x) == 0; }
