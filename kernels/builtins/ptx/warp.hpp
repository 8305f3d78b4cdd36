// Sub-groups as warps, and the exchange of values within one.
//
// Scans and reductions combine values in a tree over neighbours in the order of the work-items: the
// tree is the same in every run, and of equal minima the first one wins. All members of the
// sub-group take part.
#pragma once
#include "../generic/exchange.hpp"

// A query of the target, which the translator answers. Its name is __nvvm_reflect in the library
// (build/compile.rs): clang would answer for the target that it compiles for.
extern "C" __attribute__((const)) i32 __sinter_reflect(const char *);

namespace sub_group {

INLINED constexpr u32 width() { return 32; }
INLINED u32 lane() { return __nvvm_read_ptx_sreg_laneid(); }
INLINED u32 uniform(u32 x) { return x; }

} // namespace sub_group

#include "../generic/sub_groups.hpp"

namespace sub_group {

INLINED u32 member_mask() { return all_whole() ? ~0u : ~0u >> (width() - members()); }

// The value of another work-item; undefined if there is no such item.
template <class T> INLINED T from(T x, u32 item) {
  u32 mask = member_mask();
  return by_words(x, [=](u32 word) INLINED_LAMBDA { return (u32)__nvvm_shfl_sync_idx_i32(mask, (i32)word, (i32)item, 31); });
}
template <class T> INLINED T from_above(T x, u32 distance) {
  u32 mask = member_mask();
  return by_words(
      x, [=](u32 word) INLINED_LAMBDA { return (u32)__nvvm_shfl_sync_down_i32(mask, (i32)word, (i32)distance, 31); });
}
template <class T> INLINED T from_below(T x, u32 distance) {
  u32 mask = member_mask();
  return by_words(
      x, [=](u32 word) INLINED_LAMBDA { return (u32)__nvvm_shfl_sync_up_i32(mask, (i32)word, (i32)distance, 0); });
}
template <class T> INLINED T from_partner(T x, u32 difference) {
  u32 mask = member_mask();
  return by_words(
      x, [=](u32 word) INLINED_LAMBDA { return (u32)__nvvm_shfl_sync_bfly_i32(mask, (i32)word, (i32)difference, 31); });
}

template <class T> INLINED T broadcast(T x, u32 sender) { return from(x, sender); }

// Whoever runs it now; the others may come later.
INLINED u64 active() { return __nvvm_activemask(); }
INLINED u64 ballot(u64 mask, bool x) { return __nvvm_vote_ballot_sync((u32)mask, x); }
template <class T> INLINED T from_active(u64 mask, T x, u32 item) {
  return by_words(
      x, [=](u32 word) INLINED_LAMBDA { return (u32)__nvvm_shfl_sync_idx_i32((u32)mask, (i32)word, (i32)item, 31); });
}

INLINED bool any(bool x) { return __nvvm_vote_any_sync(member_mask(), x); }
INLINED bool all(bool x) { return __nvvm_vote_all_sync(member_mask(), x); }

// One instruction reduces integers of up to 32 bits on newer GPUs. Narrower sums wrap around
// afterwards.
template <class T> INLINED bool has_instruction(operation op) {
  bool is_known = op != operation::multiply && op < operation::logical_and;
  return !is_float<T> && sizeof(T) <= 4 && is_known && __sinter_reflect("__CUDA_ARCH") >= 800;
}

template <class T> inline constexpr bool is_signed = T(-1) < T(0);

template <class T> INLINED T reduce_by_instruction(operation op, T x) {
  u32 mask = member_mask();
  i32 word = (i32)x;
  switch (op) {
  case operation::plus: return (T)__nvvm_redux_sync_add(word, (i32)mask);
  case operation::bit_and: return (T)__nvvm_redux_sync_and(word, (i32)mask);
  case operation::bit_or: return (T)__nvvm_redux_sync_or(word, (i32)mask);
  case operation::bit_xor: return (T)__nvvm_redux_sync_xor(word, (i32)mask);
  case operation::min:
    return (T)(is_signed<T> ? __nvvm_redux_sync_min(word, (i32)mask) : (i32)__nvvm_redux_sync_umin((u32)word, (i32)mask));
  default:
    return (T)(is_signed<T> ? __nvvm_redux_sync_max(word, (i32)mask) : (i32)__nvvm_redux_sync_umax((u32)word, (i32)mask));
  }
}

} // namespace sub_group

#include "../generic/sub_group_trees.hpp"

namespace sub_group {

template <class T> INLINED T reduce(operation op, T x) {
  if constexpr (!is_float<T> && sizeof(T) <= 4)
    if (has_instruction<T>(op))
      return reduce_by_instruction(op, x);
  return members() == width() ? reduce_whole(op, x) : reduce_part(op, x);
}

} // namespace sub_group
