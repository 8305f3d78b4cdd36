// Collectives of a work-group.
//
// Each warp combines the values of its work-items; the results of the warps meet in local memory, where every work-item
// folds as many as it needs, in their order. The order is fixed for a given size of the work-group, so floating-point
// results are the same in every run. It is not the order of the host, which folds item by item. There is a barrier
// before the results are read and one behind, so that the memory may be used again. A work-group of one warp uses
// neither memory nor barriers.
#include "warp.hpp"

#define LOCAL __attribute__((address_space(3)))

// Each slice of this file has these, under names by which those of a kernel become one.
namespace sinter_group {

// What the warps tell each other: there are up to 32. Never two collectives of a kernel are under way.
[[clang::loader_uninitialized]] alignas(16) inline LOCAL u64 totals[32];
// What single work-items tell each other, by the size of the value.
[[clang::loader_uninitialized]] alignas(16) inline LOCAL u32 words[1024];
[[clang::loader_uninitialized]] alignas(16) inline LOCAL u64 long_words[1024];

} // namespace sinter_group

namespace {

using namespace sinter_group;

template <class T> INLINED LOCAL T *total(u32 number) { return (LOCAL T *)totals + number; }

template <class T> INLINED LOCAL T *slot(u32 item) {
  if constexpr (sizeof(T) == 8)
    return (LOCAL T *)long_words + item;
  else
    return (LOCAL T *)words + item;
}

INLINED void barrier() { __nvvm_bar_sync(0); }

template <class T> INLINED T broadcast(T x, u32 sender) {
  if (group::warps() == 1)
    return warp::from(x, sender);
  if (group::linear_id() == sender)
    *total<T>(0) = x;
  barrier();
  T result = *total<T>(0);
  barrier();
  return result;
}

// The fold of `first` and the results of the warps `from` to before `to`.
template <class T> INLINED T fold(operation op, T first, u32 from, u32 to) {
  for (u32 i = from; i < to; ++i)
    first = combine(op, first, *total<T>(i));
  return first;
}

template <class T> INLINED T reduce(operation op, T x) {
  T sum = warp::reduce(op, x);
  if (group::warps() == 1)
    return sum;
  if (group::lane() == 0)
    *total<T>(group::warp()) = sum;
  barrier();
  T result = fold(op, *total<T>(0), 1, group::warps());
  barrier();
  return result;
}

// Tells the warps behind what this one has come to.
template <class T> INLINED void publish(T inclusive) {
  if (group::lane() == group::members() - 1)
    *total<T>(group::warp()) = inclusive;
  barrier();
}

template <class T> INLINED T inclusive_scan(operation op, T x) {
  T own = warp::inclusive_scan(op, x);
  if (group::warps() == 1)
    return own;
  publish(own);
  u32 warp = group::warp();
  T result = warp == 0 ? own : combine(op, fold(op, *total<T>(0), 1, warp), own);
  barrier();
  return result;
}

template <class T> INLINED T exclusive_scan(operation op, T x, T init) {
  T own = warp::inclusive_scan(op, x);
  if (group::warps() == 1)
    return warp::after(op, init, own);
  publish(own);
  T before = fold(op, init, 0, group::warp());
  barrier();
  return warp::after(op, before, own);
}

// The value of another item; the own one if there is no such item.
template <class T> INLINED T take(T x, u32 from) {
  bool exists = from < group::linear_range();
  if (group::warps() == 1) {
    T other = warp::from(x, from);
    return exists ? other : x;
  }
  *slot<T>(group::linear_id()) = x;
  barrier();
  T result = exists ? *slot<T>(from) : x;
  barrier();
  return result;
}

} // namespace

#define MOVE(T)                                                                                                        \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_broadcast_##T(i32 sender, T x) { return broadcast(x, (u32)sender); }         \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_shift_left_##T(T x, u32 delta) {                                             \
    return take(x, group::linear_id() + delta);                                                                        \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_shift_right_##T(T x, u32 delta) {                                            \
    return take(x, group::linear_id() - delta);                                                                        \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_permute_##T(T x, i32 mask) {                                                 \
    return take(x, group::linear_id() ^ (u32)mask);                                                                    \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_select_##T(T x, i32 item) { return take(x, (u32)item); }

#define COMBINE(T)                                                                                                     \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_reduce_##T(operation op, T x) { return reduce(op, x); }                      \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_inclusive_scan_##T(operation op, T x) { return inclusive_scan(op, x); }      \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_exclusive_scan_##T(operation op, T x, T init) {                              \
    return exclusive_scan(op, x, init);                                                                                \
  }

ALL_MOVED(MOVE)
ALL_COMBINED(COMBINE)

// Votes are a barrier that counts.
SSCP_COLLECTIVE bool __acpp_sscp_work_group_any(bool x) { return __nvvm_bar0_or(x) != 0; }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_all(bool x) { return __nvvm_bar0_and(x) != 0; }
SSCP_COLLECTIVE bool __acpp_sscp_work_group_none(bool x) { return __nvvm_bar0_or(x) == 0; }
