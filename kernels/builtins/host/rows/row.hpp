// A row: SINTER_LANES work-items that one function runs together. The translator defines the
// primitives when it vectorises the kernel; a row of one work-item needs none.
#pragma once
#include "../../generic/exchange.hpp"

#if SINTER_LANES > 1
// A primitive that only has a result, or one that LLVM takes for an access of any memory.
#ifdef PRIMITIVES_STAY
#define PRIMITIVE extern "C" CONVERGENT
#else
#define PRIMITIVE extern "C" CONVERGENT __attribute__((const))
#endif

extern "C" __attribute__((const)) u32 __sinter_sub_group_lane();
// The value of another lane; lanes are counted from 0 again behind the last one.
PRIMITIVE u32 __sinter_sub_group_read_u32(u32 value, u32 lane);
PRIMITIVE u64 __sinter_sub_group_read_u64(u64 value, u32 lane);
// The lanes that run it and for which it is true, lane 0 lowest.
PRIMITIVE u64 __sinter_sub_group_ballot(bool);
// The value of lanes that run it, `other` of all other ones, so that what is computed from it
// without a branch is defined in every lane.
PRIMITIVE u32 __sinter_sub_group_fill_u32(u32 value, u32 other);
PRIMITIVE u64 __sinter_sub_group_fill_u64(u64 value, u64 other);
// Keeps a kernel from running item by item; in a row it does nothing.
extern "C" CONVERGENT void __sinter_sub_group_barrier();
#else
INLINED u32 __sinter_sub_group_lane() { return 0; }
INLINED u32 __sinter_sub_group_read_u32(u32 value, u32) { return value; }
INLINED u64 __sinter_sub_group_read_u64(u64 value, u32) { return value; }
INLINED u64 __sinter_sub_group_ballot(bool x) { return x; }
#endif

namespace row {

inline constexpr u32 lanes = SINTER_LANES;

INLINED u32 lane() { return __sinter_sub_group_lane(); }
INLINED u64 ballot(bool x) { return __sinter_sub_group_ballot(x); }

template <class T> INLINED T read(T x, u32 lane) {
  using bits = typename sub_group::bits_of_size<sizeof(T)>::type;
  bits value = __builtin_bit_cast(bits, x);
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, __sinter_sub_group_read_u64(value, lane));
  else
    return __builtin_bit_cast(T, (bits)__sinter_sub_group_read_u32(value, lane));
}

// Combines `Items` values that begin at a multiple of that, in their order, in the lane of the
// first. Neighbours exchange theirs, which is the shortest shuffle.
template <u32 Items, class T> INLINED T tree(operation op, T x) {
#pragma unroll
  for (u32 step = 1; step < Items; step *= 2)
    x = combine(op, x, read(x, lane() ^ step));
  return x;
}

} // namespace row
