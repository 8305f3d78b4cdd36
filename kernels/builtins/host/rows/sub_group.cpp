// Sub-groups that are rows: SINTER_LANES work-items that one function runs together. The translator
// defines the primitives when it vectorises the kernel.
#include "../../generic/exchange.hpp"

extern "C" __attribute__((const)) u32 __sinter_sub_group_lane();
// The value of another lane, which may be none of the row.
extern "C" CONVERGENT __attribute__((const)) u32 __sinter_sub_group_read_u32(u32 value, u32 lane);
extern "C" CONVERGENT __attribute__((const)) u64 __sinter_sub_group_read_u64(u64 value, u32 lane);
// The lanes that run it and for which it is true, lane 0 lowest.
extern "C" CONVERGENT __attribute__((const)) u64 __sinter_sub_group_ballot(bool);
// Keeps a kernel from running item by item; in a row it does nothing.
extern "C" CONVERGENT void __sinter_sub_group_barrier();

namespace sub_group {

INLINED constexpr u32 width() { return SINTER_LANES; }
INLINED u32 lane() { return __sinter_sub_group_lane(); }
INLINED u32 uniform(u32 x) { return x; }

} // namespace sub_group

#include "../../generic/sub_groups.hpp"

namespace sub_group {

template <class T> INLINED T from(T x, u32 item) {
  using bits = typename bits_of_size<sizeof(T)>::type;
  bits value = __builtin_bit_cast(bits, x);
  u32 lane = item % width();
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, __sinter_sub_group_read_u64(value, lane));
  else
    return __builtin_bit_cast(T, (bits)__sinter_sub_group_read_u32(value, lane));
}
template <class T> INLINED T from_above(T x, u32 distance) { return from(x, lane() + distance); }
template <class T> INLINED T from_below(T x, u32 distance) { return from(x, lane() - distance); }
template <class T> INLINED T from_partner(T x, u32 difference) { return from(x, lane() ^ difference); }
template <class T> INLINED T broadcast(T x, u32 sender) { return from(x, sender); }

INLINED u64 active() { return __sinter_sub_group_ballot(true); }
INLINED u64 ballot(u64, bool x) { return __sinter_sub_group_ballot(x); }
template <class T> INLINED T from_active(u64 mask, T x, u32 item) { return zero_outside(mask, item, from(x, item)); }

INLINED bool any(bool x) { return __sinter_sub_group_ballot(x) != 0; }
INLINED bool all(bool x) { return __sinter_sub_group_ballot(!x) == 0; }

} // namespace sub_group

#include "../../generic/sub_group_trees.hpp"

namespace sub_group {

// Combines what the lanes of the mask have, in their order. No lane that is not in it is read: it
// does not run the code of the lanes around it.
template <class T> INLINED T reduce_of(u64 lanes, operation op, T x) {
  T all = from(x, (u32)__builtin_ctzll(lanes));
  for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
    all = combine(op, all, from(x, (u32)__builtin_ctzll(lanes)));
  return all;
}

// One lane is read at the end, so that all have one scalar.
template <class T> INLINED T reduce(operation op, T x) {
  u64 lanes = __sinter_sub_group_ballot(true);
  return lanes == ~0ull >> (64 - width()) ? from(reduce_whole(op, x), 0) : reduce_of(lanes, op, x);
}

} // namespace sub_group

#include "../../generic/sub_group_functions.hpp"

#include "../../generic/orders.hpp"

// The lanes of a row run each instruction together: only the order of accesses has to stay.
SSCP_COLLECTIVE void __acpp_sscp_sub_group_barrier(scope s, order o) {
  __sinter_sub_group_barrier();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (s > scope::sub_group)
    WITH_ORDER(o, __atomic_thread_fence(ORDER));
}
