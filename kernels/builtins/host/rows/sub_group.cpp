// Sub-groups that are rows. Lanes see behind a function what all lanes have written before it: they
// run each instruction together, so that only the order of accesses has to stay. Primitives that
// may access any memory keep it. A fence would do so for private memory, too, and loops would not
// be unrolled for that.
#define PRIMITIVES_STAY
#include "row.hpp"

// A sub-group of one work-item has functions of its own (../sub_group.cpp).
#if SINTER_LANES > 1

namespace sub_group {

INLINED constexpr u32 width() { return row::lanes; }
INLINED u32 lane() { return row::lane(); }
INLINED u32 uniform(u32 x) { return x; }

} // namespace sub_group

#include "../../generic/sub_groups.hpp"

namespace sub_group {

template <class T> INLINED T from(T x, u32 item) { return row::read(x, item); }
template <class T> INLINED T from_above(T x, u32 distance) { return from(x, lane() + distance); }
template <class T> INLINED T from_below(T x, u32 distance) { return from(x, lane() - distance); }
template <class T> INLINED T from_partner(T x, u32 difference) { return from(x, lane() ^ difference); }
template <class T> INLINED T broadcast(T x, u32 sender) { return from(x, sender); }

INLINED u64 active() { return row::ballot(true); }
INLINED u64 ballot(u64, bool x) { return row::ballot(x); }
template <class T> INLINED T from_active(u64 mask, T x, u32 item) { return zero_outside(mask, item, from(x, item)); }

INLINED bool any(bool x) { return row::ballot(x) != 0; }
INLINED bool all(bool x) { return row::ballot(!x) == 0; }

// The value that changes no other one that it is combined with.
template <class T> INLINED T identity(operation op) {
  constexpr bool is_signed = T(-1) < T(0);
  constexpr T highest = is_float<T> ? T(__builtin_inf()) : T(is_signed ? ~0ull >> (65 - 8 * sizeof(T)) : ~0ull);
  switch (op) {
  case operation::plus: return is_float<T> ? T(-0.0) : T(0);
  case operation::multiply:
  case operation::logical_and: return T(1);
  case operation::min: return highest;
  case operation::max: return is_float<T> ? -highest : T(~(u64)highest);
  case operation::bit_and: return is_float<T> ? T(0) : T(~0ull);
  default: return T(0);
  }
}

// The value, and the identity in lanes that do not run the call: they have returned or are in
// another branch. What follows has no branch, so that it is computed for them, too.
template <class T> INLINED T filled(operation op, T x) {
  using bits = typename bits_of_size<sizeof(T)>::type;
  bits value = __builtin_bit_cast(bits, x), other = __builtin_bit_cast(bits, identity<T>(op));
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, __sinter_sub_group_fill_u64(value, other));
  else
    return __builtin_bit_cast(T, (bits)__sinter_sub_group_fill_u32(value, other));
}

// A single number stays as it is, also one that is neither 0 nor 1.
INLINED bool keeps_single(operation op) { return op == operation::logical_and || op == operation::logical_or; }

// One lane is read at the end, so that all have one scalar.
template <class T> INLINED T reduce(operation op, T x) {
  T all = row::read(row::tree<width()>(op, filled(op, x)), 0);
  if (!keeps_single(op))
    return all;
  u64 lanes = row::ballot(true);
  return (lanes & (lanes - 1)) == 0 ? row::read(x, (u32)__builtin_ctzll(lanes)) : all;
}

// Also for lanes that do not run it.
template <class T> INLINED T scan(operation op, T x) {
  x = filled(op, x);
#pragma unroll
  for (u32 step = 1; step < width(); step *= 2) {
    T other = row::read(x, lane() - step);
    x = combine(op, lane() < step ? identity<T>(op) : other, x);
  }
  return x;
}

INLINED bool is_first() { return lane() == (u32)__builtin_ctzll(row::ballot(true)); }

template <class T> INLINED T inclusive_scan(operation op, T x) {
  T all = scan(op, x);
  return keeps_single(op) && is_first() ? x : all;
}

template <class T> INLINED T exclusive_scan(operation op, T x, T init) {
  T before = row::read(scan(op, x), lane() - 1);
  return is_first() ? init : combine(op, init, before);
}

} // namespace sub_group

#include "../../generic/sub_group_functions.hpp"

#include "../../generic/orders.hpp"

SSCP_COLLECTIVE void __acpp_sscp_sub_group_barrier(scope s, order o) {
  __sinter_sub_group_barrier();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (s > scope::sub_group)
    WITH_ORDER(o, __atomic_thread_fence(ORDER));
}

#endif
