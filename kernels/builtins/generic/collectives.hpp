// Collectives of a work-group on a GPU.
//
// Each sub-group combines the values of its work-items; the results of the sub-groups meet in local memory, where every
// work-item folds as many as it needs, in their order. The order is fixed for a given size of the work-group, so
// floating-point results are the same in every run. It is not the order of the host, which folds item by item. There is a
// barrier before the results are read and one behind, so that the memory may be used again. A work-group of one
// sub-group uses neither memory nor barriers. To be included behind what defines work_group::barrier() and, in the
// namespace sub_group, the collectives of a sub-group.
#pragma once
#include "sub_groups.hpp"

#define LOCAL __attribute__((address_space(3)))

// Each slice of this file has these, under names by which those of a kernel become one.
namespace sinter_group {

// What the sub-groups tell each other: there are up to 32. Never two collectives of a kernel are under way.
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

INLINED u32 own_number() { return sub_group::uniform(group::sub_group_id()); }

template <class T> INLINED T broadcast(T x, u32 sender) {
  if (group::sub_groups() == 1)
    return sub_group::broadcast(x, sender);
  if (group::linear_id() == sender)
    *total<T>(0) = x;
  work_group::barrier();
  T result = *total<T>(0);
  work_group::barrier();
  return result;
}

// The fold of `first` and the results of the sub-groups `from` to before `to`.
template <class T> INLINED T fold(operation op, T first, u32 from, u32 to) {
  for (u32 i = from; i < to; ++i)
    first = combine(op, first, *total<T>(i));
  return first;
}

// The fold of what the sub-groups have come to, each by itself.
template <class T> INLINED T reduce_sub_groups(operation op, T sum) {
  if (group::sub_groups() == 1)
    return sum;
  u32 number = own_number();
  if (sub_group::lane() == 0)
    *total<T>(number) = sum;
  work_group::barrier();
  T result = fold(op, *total<T>(0), 1, group::sub_groups());
  work_group::barrier();
  return result;
}

template <class T> INLINED T reduce(operation op, T x) { return reduce_sub_groups(op, sub_group::reduce(op, x)); }

// Tells the sub-groups behind what this one has come to.
template <class T> INLINED void publish(T inclusive) {
  u32 number = own_number();
  if (sub_group::lane() == sub_group::members() - 1)
    *total<T>(number) = inclusive;
  work_group::barrier();
}

template <class T> INLINED T inclusive_scan(operation op, T x) {
  T own = sub_group::inclusive_scan(op, x);
  if (group::sub_groups() == 1)
    return own;
  publish(own);
  u32 number = own_number();
  T result = number == 0 ? own : combine(op, fold(op, *total<T>(0), 1, number), own);
  work_group::barrier();
  return result;
}

template <class T> INLINED T exclusive_scan(operation op, T x, T init) {
  T own = sub_group::inclusive_scan(op, x);
  if (group::sub_groups() == 1)
    return sub_group::after(op, init, own);
  publish(own);
  T before = fold(op, init, 0, own_number());
  work_group::barrier();
  return sub_group::after(op, before, own);
}

// The value of another item; the own one if there is no such item.
template <class T> INLINED T take(T x, u32 from) {
  bool exists = from < group::linear_range();
  if (group::sub_groups() == 1) {
    T other = sub_group::from(x, from);
    return exists ? other : x;
  }
  *slot<T>(group::linear_id()) = x;
  work_group::barrier();
  T result = exists ? *slot<T>(from) : x;
  work_group::barrier();
  return result;
}

} // namespace

#define MOVE(T)                                                                                                        \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_broadcast_##T(i32 sender, T x) { return broadcast(x, (u32)sender); }        \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_shift_left_##T(T x, u32 delta) {                                            \
    return take(x, group::linear_id() + delta);                                                                        \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_shift_right_##T(T x, u32 delta) {                                           \
    return take(x, group::linear_id() - delta);                                                                        \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_permute_##T(T x, i32 mask) {                                                \
    return take(x, group::linear_id() ^ (u32)mask);                                                                    \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_select_##T(T x, i32 item) { return take(x, (u32)item); }

#define COMBINE(T)                                                                                                     \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_reduce_##T(operation op, T x) { return reduce(op, x); }                     \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_inclusive_scan_##T(operation op, T x) { return inclusive_scan(op, x); }     \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_exclusive_scan_##T(operation op, T x, T init) {                             \
    return exclusive_scan(op, x, init);                                                                                \
  }

ALL_MOVED(MOVE)
ALL_COMBINED(COMBINE)
