// Warps: sub-groups of 32 work-items, which a kernel that calls one of these functions requires.
//
// The masks say who takes part; all items of the warp that have not ended must reach the call.
#ifndef HIP_DETAIL_WARP_HPP
#define HIP_DETAIL_WARP_HPP

#include "synchronize.hpp"

static constexpr int warpSize = 32;

// Stage 1 finds the requirement in functions that a kernel reaches.
#define SINTER_HIP_WARP                                                                                               \
  __attribute__((annotate("sinter_required_sub_group_size", 32))) SINTER_HIP_DEVICE SINTER_CONVERGENT

SINTER_HIP_WARP unsigned sinter_hip_lane() { return __acpp_sscp_get_subgroup_local_id(); }
SINTER_HIP_WARP short sinter_hip_read(short x, int lane) { return __acpp_sscp_sub_group_select_i16(x, lane); }
SINTER_HIP_WARP int sinter_hip_read(int x, int lane) { return __acpp_sscp_sub_group_select_i32(x, lane); }
SINTER_HIP_WARP long long sinter_hip_read(long long x, int lane) {
  return __acpp_sscp_sub_group_select_i64(x, lane);
}
// 4 is `and`, 5 `or`, 6 `xor`, 2 the minimum, 3 the maximum, 0 the sum.
SINTER_HIP_WARP unsigned sinter_hip_ballot(bool predicate) {
  return __acpp_sscp_sub_group_reduce_u32(5, predicate ? 1u << sinter_hip_lane() : 0u);
}

SINTER_HIP_DEVICE unsigned __lane_id() { return sinter_hip_lane(); }
SINTER_HIP_WARP void __syncwarp(unsigned long long = ~0ull) { __acpp_sscp_sub_group_barrier(1, 3); }

// Lanes in a part of `width` lanes; the own one for those that the part has not.
SINTER_HIP_DEVICE int sinter_hip_lane_at(int source, int width) {
  const int lane = static_cast<int>(sinter_hip_lane());
  return (lane & ~(width - 1)) + (source & (width - 1));
}
SINTER_HIP_DEVICE int sinter_hip_lane_below(unsigned delta, int width) {
  const int lane = static_cast<int>(sinter_hip_lane()), source = lane - static_cast<int>(delta);
  return source < (lane & ~(width - 1)) ? lane : source;
}
SINTER_HIP_DEVICE int sinter_hip_lane_above(unsigned delta, int width) {
  const int lane = static_cast<int>(sinter_hip_lane()), source = lane + static_cast<int>(delta);
  return source > (lane | (width - 1)) ? lane : source;
}
SINTER_HIP_DEVICE int sinter_hip_lane_beside(int mask, int width) {
  const int lane = static_cast<int>(sinter_hip_lane()), source = lane ^ mask;
  return source > (lane | (width - 1)) ? lane : source;
}

// Headers of further types use these macros too.
#define SINTER_HIP_SHUFFLE(name, find, number, type, word)                                                            \
  SINTER_HIP_DEVICE type name(type x, number which, int width = warpSize) {                                          \
    return sinter_hip_bits<type>(sinter_hip_read(sinter_hip_bits<word>(x), find(which, width)));                     \
  }                                                                                                                  \
  SINTER_HIP_DEVICE type name##_sync(unsigned long long, type x, number which, int width = warpSize) {               \
    return name(x, which, width);                                                                                    \
  }
#define SINTER_HIP_SHUFFLES(type, word)                                                                               \
  SINTER_HIP_SHUFFLE(__shfl, sinter_hip_lane_at, int, type, word)                                                    \
  SINTER_HIP_SHUFFLE(__shfl_up, sinter_hip_lane_below, unsigned, type, word)                                         \
  SINTER_HIP_SHUFFLE(__shfl_down, sinter_hip_lane_above, unsigned, type, word)                                       \
  SINTER_HIP_SHUFFLE(__shfl_xor, sinter_hip_lane_beside, int, type, word)
SINTER_HIP_SHUFFLES(int, int)
SINTER_HIP_SHUFFLES(unsigned, int)
SINTER_HIP_SHUFFLES(float, int)
SINTER_HIP_SHUFFLES(long, long long)
SINTER_HIP_SHUFFLES(unsigned long, long long)
SINTER_HIP_SHUFFLES(long long, long long)
SINTER_HIP_SHUFFLES(unsigned long long, long long)
SINTER_HIP_SHUFFLES(double, long long)

SINTER_HIP_DEVICE unsigned long long __ballot(int predicate) { return sinter_hip_ballot(predicate != 0); }
SINTER_HIP_DEVICE unsigned long long __activemask() { return sinter_hip_ballot(true); }
SINTER_HIP_DEVICE int __any(int predicate) { return sinter_hip_ballot(predicate != 0) != 0; }
SINTER_HIP_DEVICE int __all(int predicate) { return sinter_hip_ballot(predicate == 0) == 0; }
#ifdef SINTER_HIP_IS_CUDA
SINTER_HIP_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  return sinter_hip_ballot(predicate != 0) & mask;
}
#else
SINTER_HIP_DEVICE unsigned long long __ballot_sync(unsigned long long mask, int predicate) {
  return sinter_hip_ballot(predicate != 0) & mask;
}
#endif
SINTER_HIP_DEVICE int __any_sync(unsigned long long mask, int predicate) {
  return (sinter_hip_ballot(predicate != 0) & mask) != 0;
}
SINTER_HIP_DEVICE int __all_sync(unsigned long long mask, int predicate) {
  return (sinter_hip_ballot(predicate == 0) & mask) == 0;
}
template <class Type> SINTER_HIP_DEVICE unsigned __match_any_sync(unsigned mask, Type x) {
  unsigned same = 0;
  for (int lane = 0; lane < warpSize; ++lane)
    same |= __shfl(x, lane) == x ? 1u << lane : 0u;
  return same & mask & sinter_hip_ballot(true);
}

#define SINTER_HIP_REDUCE(name, operation, type, kind)                                                                \
  SINTER_HIP_WARP type __reduce_##name##_sync(unsigned, type x) {                                                    \
    return __acpp_sscp_sub_group_reduce_##kind(operation, x);                                                        \
  }
SINTER_HIP_REDUCE(add, 0, int, i32)
SINTER_HIP_REDUCE(add, 0, unsigned, u32)
SINTER_HIP_REDUCE(min, 2, int, i32)
SINTER_HIP_REDUCE(min, 2, unsigned, u32)
SINTER_HIP_REDUCE(max, 3, int, i32)
SINTER_HIP_REDUCE(max, 3, unsigned, u32)
SINTER_HIP_REDUCE(and, 4, unsigned, u32)
SINTER_HIP_REDUCE(or, 5, unsigned, u32)
SINTER_HIP_REDUCE(xor, 6, unsigned, u32)
#undef SINTER_HIP_REDUCE

#endif
