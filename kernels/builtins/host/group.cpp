// Collectives of a work-group.
//
// Reductions, scans and votes are the work of the rows (rows/group.cpp), which the translator links
// once it knows their lanes: each combines its values with the result of those before it, and the
// last one stores the result for all. Behind the barrier all read that; they do before the last row
// stores the next one, since rows run in order. All others store values in slots, with a barrier
// before the slots are read, and one after, so that they can be reused: LLVM vectorises that where
// the items run one by one. There are 1 to 1024 items, the largest work-group of the host device.
#include "../generic/group.hpp"
#include "../generic/shifts.hpp"

#define LOCAL __attribute__((address_space(3)))

extern "C" {
// Memory that the rows of a group share. The translator makes variables of it, which may be
// registers.
[[clang::loader_uninitialized]] alignas(64) LOCAL u64 __sinter_group_sums[16];
[[clang::loader_uninitialized]] alignas(64) LOCAL u64 __sinter_group_words[8];
}

// One array for all selections of a kernel: two of them never overlap.
[[clang::loader_uninitialized]] static LOCAL u64 slots[1024];
// The value that one item sends to all. The translator knows that all load the same.
extern "C" [[clang::loader_uninitialized]] LOCAL u64 __sinter_sent;

extern "C" CONVERGENT void __acpp_sscp_work_group_barrier(scope, order);

#define DECLARE(T)                                                                                                     \
  extern "C" CONVERGENT void __sinter_row_reduce_##T(operation, T, u64 id, u64 count, LOCAL u64 *, LOCAL u64 *);        \
  extern "C" CONVERGENT T __sinter_row_inclusive_scan_##T(operation, T, u64 id, u64 count, LOCAL u64 *);                \
  extern "C" CONVERGENT T __sinter_row_exclusive_scan_##T(operation, T, T init, u64 id, u64 count, LOCAL u64 *);

ALL_COMBINED(DECLARE)
extern "C" CONVERGENT void __sinter_row_any(bool, u64 id, u64 count, LOCAL u64 *);

namespace {

INLINED u64 self() { return group::local_linear_id(); }
INLINED u64 count() { return group::local_linear_range(); }
INLINED void barrier() { __acpp_sscp_work_group_barrier(scope::work_group, order::acq_rel); }

// The result of the last row for all items.
template <class T> INLINED T total() {
  barrier();
  return *(LOCAL T *)__sinter_group_words;
}

template <class T> INLINED T broadcast(u64 sender, T x) {
  LOCAL T *sent = (LOCAL T *)&__sinter_sent;
  if (self() == sender)
    *sent = x;
  barrier();
  T result = *sent;
  barrier();
  return result;
}

// The value of another item; the item's own if there is no such item.
template <class T> INLINED T take(T x, u64 from) {
  LOCAL T *values = (LOCAL T *)slots;
  values[self()] = x;
  barrier();
  T result = from < count() ? values[from] : x;
  barrier();
  return result;
}

INLINED bool any(bool x) {
  __sinter_row_any(x, self(), count(), __sinter_group_words);
  return total<u64>() != 0;
}

} // namespace

#define MOVE(T)                                                                                                        \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_broadcast_##T(i32 sender, T x) { return broadcast((u64)(u32)sender, x); }    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_shift_left_##T(T x, u32 delta) { return take(x, self() + delta); }           \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_shift_right_##T(T x, u32 delta) { return take(x, self() - delta); }          \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_permute_##T(T x, i32 mask) { return take(x, self() ^ (u64)(u32)mask); }      \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_select_##T(T x, i32 from) { return take(x, (u64)(u32)from); }

#define COMBINE(T)                                                                                                     \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_reduce_##T(operation op, T x) {                                             \
    __sinter_row_reduce_##T(op, x, self(), count(), __sinter_group_sums, __sinter_group_words);                        \
    return total<T>();                                                                                                 \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_inclusive_scan_##T(operation op, T x) {                                      \
    T result = __sinter_row_inclusive_scan_##T(op, x, self(), count(), __sinter_group_words);                          \
    barrier();                                                                                                         \
    return result;                                                                                                     \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_exclusive_scan_##T(operation op, T x, T init) {                              \
    T result = __sinter_row_exclusive_scan_##T(op, x, init, self(), count(), __sinter_group_words);                    \
    barrier();                                                                                                         \
    return result;                                                                                                     \
  }

#define SHIFT_WORK(T) SHIFT(work_group, T)

ALL_MOVED(MOVE)
ALL_MOVED(SHIFT_WORK)
ALL_COMBINED(COMBINE)

SSCP_COLLECTIVE bool __acpp_sscp_work_group_any(bool x) { return any(x); }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_all(bool x) { return !any(!x); }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_none(bool x) { return !any(x); }
