// Reductions and scans of a sub-group by exchanges of values, in a tree over neighbours. To be
// included after sub_groups.hpp and the exchange functions: sub_group::from(), from_above(),
// from_below() and from_partner().
#pragma once
#include "exchange.hpp"

namespace sub_group {

// Every work-item folds the same tree: at each step it and its partner combine the same two values.
template <class T> INLINED T reduce_whole(operation op, T x) {
  u32 self = lane();
#pragma unroll
  for (u32 step = 1; step < width(); step *= 2) {
    T other = from_partner(x, step);
    bool is_second = is_ordered<T>(op) && (self & step);
    x = is_second ? combine(op, other, x) : combine(op, x, other);
  }
  return x;
}

// The first work-item folds the tree over the existing members, and broadcasts the result.
template <class T> INLINED T reduce_part(operation op, T x) {
  u32 self = lane(), count = members();
#pragma unroll
  for (u32 step = 1; step < width(); step *= 2) {
    T other = from_above(x, step);
    x = self + step < count ? combine(op, x, other) : x;
  }
  return from(x, 0);
}

template <class T> INLINED T inclusive_scan(operation op, T x) {
  u32 self = lane();
#pragma unroll
  for (u32 step = 1; step < width(); step *= 2) {
    T other = from_below(x, step);
    x = self >= step ? combine(op, other, x) : x;
  }
  return x;
}

// `before` is the result of the first work-item; every other one combines it with the scan up to
// the previous item.
template <class T> INLINED T after(operation op, T before, T inclusive) {
  T previous = from_below(inclusive, 1);
  return lane() == 0 ? before : combine(op, before, previous);
}

template <class T> INLINED T exclusive_scan(operation op, T x, T init) { return after(op, init, inclusive_scan(op, x)); }

} // namespace sub_group
