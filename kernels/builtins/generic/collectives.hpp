// Collectives of a work-group on a GPU.
//
// Each sub-group combines the values of its work-items and stores the result in local memory, where
// every work-item folds as many results as it needs, in sub-group order. The order is fixed for a
// given work-group size, so floating-point results are the same in every run. It differs from the
// host's order, which folds item by item. There is a barrier before the results are read and one
// after, so that the memory can be reused. A work-group of one sub-group needs neither memory nor
// barriers. To be included after the definitions of work_group::barrier() and, in the namespace
// sub_group, of the collectives of a sub-group.
#pragma once
#include "slots.hpp"
#include "sub_groups.hpp"

namespace work_group {

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

// Folds `first` with the results of the sub-groups from `from` up to but not including `to`.
template <class T> INLINED T fold(operation op, T first, u32 from, u32 to) {
  for (u32 i = from; i < to; ++i)
    first = combine(op, first, *total<T>(i));
  return first;
}

// The same with `to` up to the number of sub-groups. Reads all results, so that for a known
// work-group size the loads are straight-line code and issued together.
template <class T> INLINED T fold_some(operation op, T first, u32 from, u32 to) {
  for (u32 i = from; i < group::sub_groups(); ++i) {
    T more = combine(op, first, *total<T>(i));
    first = i < to ? more : first;
  }
  return first;
}

// Folds the results of all sub-groups.
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

// Stores this sub-group's result for those after it.
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
  T result = number == 0 ? own : combine(op, fold_some(op, *total<T>(0), 1, number), own);
  work_group::barrier();
  return result;
}

template <class T> INLINED T exclusive_scan(operation op, T x, T init) {
  T own = sub_group::inclusive_scan(op, x);
  if (group::sub_groups() == 1)
    return sub_group::after(op, init, own);
  publish(own);
  T before = fold_some(op, init, 0, own_number());
  work_group::barrier();
  return sub_group::after(op, before, own);
}

// The value of another item; the item's own if there is no such item.
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

} // namespace work_group
