// Warps: sub-groups of 32 work-items, which a kernel that calls one of these functions requires.
//
// A mask names the work-items that run a call; without one they are those that happen to. On
// devices without operations for a part of a sub-group all work-items that have not ended must run
// it. *Invariant:* what is read from a work-item outside is unspecified and harmless.
#ifndef HIP_DETAIL_WARP_HPP
#define HIP_DETAIL_WARP_HPP

#include "synchronize.hpp"

static constexpr int warpSize = 32;

// Stage 1 finds the requirement in functions that a kernel reaches.
#define SINTER_HIP_WARP                                                                                              \
  __attribute__((annotate("sinter_required_sub_group_size", 32))) SINTER_HIP_DEVICE SINTER_CONVERGENT

// HIP's masks have 64 bits, of which warps of 32 use the lower ones.
using sinter_hip_mask = unsigned long long;
#ifdef SINTER_HIP_IS_CUDA
using sinter_hip_ballot_type = unsigned;
#else
using sinter_hip_ballot_type = unsigned long long;
#endif
static constexpr unsigned sinter_hip_all = 0xffffffffu;

SINTER_HIP_WARP unsigned sinter_hip_lane() { return __acpp_sscp_get_subgroup_local_id(); }
SINTER_HIP_WARP unsigned sinter_hip_active() { return static_cast<unsigned>(__acpp_sscp_sub_group_active()); }
SINTER_HIP_WARP unsigned sinter_hip_ballot(sinter_hip_mask mask, bool predicate) {
  return static_cast<unsigned>(__acpp_sscp_sub_group_ballot(mask & sinter_hip_all, predicate));
}
// A program may shuffle a variable that only the work-item which is read from has set.
SINTER_HIP_WARP int sinter_hip_read(sinter_hip_mask mask, SINTER_HIP_MAYBE_UNDEFINED int x, int lane) {
  return __acpp_sscp_sub_group_read_i32(mask & sinter_hip_all, x, static_cast<unsigned>(lane));
}
SINTER_HIP_WARP long long sinter_hip_read(sinter_hip_mask mask, SINTER_HIP_MAYBE_UNDEFINED long long x, int lane) {
  return __acpp_sscp_sub_group_read_i64(mask & sinter_hip_all, x, static_cast<unsigned>(lane));
}
SINTER_HIP_WARP short sinter_hip_read(sinter_hip_mask mask, SINTER_HIP_MAYBE_UNDEFINED short x, int lane) {
  return static_cast<short>(sinter_hip_read(mask, static_cast<int>(x), lane));
}

SINTER_HIP_DEVICE unsigned __lane_id() { return sinter_hip_lane(); }
// Lanes before the own one.
SINTER_HIP_DEVICE unsigned sinter_hip_before() { return (1u << sinter_hip_lane()) - 1; }

SINTER_HIP_WARP void __syncwarp(sinter_hip_mask mask = sinter_hip_all) {
  if ((mask & sinter_hip_all) == sinter_hip_all) {
    __acpp_sscp_sub_group_barrier(1, 3);
  } else {
    __acpp_sscp_fence(4, 2);
    __acpp_sscp_sub_group_ballot(mask, true);
    __acpp_sscp_fence(4, 2);
  }
}

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
#define SINTER_HIP_SHUFFLE(name, find, number, type, word)                                                           \
  SINTER_HIP_DEVICE type name##_sync(sinter_hip_mask mask, type x, number which, int width = warpSize) {             \
    return sinter_hip_bits<type>(sinter_hip_read(mask, sinter_hip_bits<word>(x), find(which, width)));               \
  }                                                                                                                  \
  SINTER_HIP_DEVICE type name(type x, number which, int width = warpSize) {                                          \
    return name##_sync(sinter_hip_active(), x, which, width);                                                        \
  }
#define SINTER_HIP_SHUFFLES(type, word)                                                                              \
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

SINTER_HIP_DEVICE sinter_hip_ballot_type __activemask() { return sinter_hip_active(); }
SINTER_HIP_DEVICE sinter_hip_ballot_type __ballot_sync(sinter_hip_mask mask, int predicate) {
  return sinter_hip_ballot(mask, predicate != 0);
}
SINTER_HIP_DEVICE int __any_sync(sinter_hip_mask mask, int predicate) {
  return sinter_hip_ballot(mask, predicate != 0) != 0;
}
SINTER_HIP_DEVICE int __all_sync(sinter_hip_mask mask, int predicate) {
  return sinter_hip_ballot(mask, predicate == 0) == 0;
}
SINTER_HIP_DEVICE int __uni_sync(sinter_hip_mask mask, int predicate) {
  return __all_sync(mask, predicate) || !__any_sync(mask, predicate);
}
SINTER_HIP_DEVICE unsigned long long __ballot(int predicate) { return __ballot_sync(sinter_hip_active(), predicate); }
SINTER_HIP_DEVICE int __any(int predicate) { return __any_sync(sinter_hip_active(), predicate); }
SINTER_HIP_DEVICE int __all(int predicate) { return __all_sync(sinter_hip_active(), predicate); }

// Numbers are equal if their bits are.
template <std::size_t Size> struct sinter_hip_word_of;
template <> struct sinter_hip_word_of<4> {
  using type = int;
};
template <> struct sinter_hip_word_of<8> {
  using type = long long;
};
template <class Type> SINTER_HIP_DEVICE sinter_hip_ballot_type __match_any_sync(sinter_hip_mask mask, Type x) {
  const auto bits = sinter_hip_bits<typename sinter_hip_word_of<sizeof(Type)>::type>(x);
  const unsigned there = sinter_hip_ballot(mask, true);
  unsigned same = 0;
  for (int lane = 0; lane < warpSize; ++lane)
    same |= sinter_hip_read(mask, bits, lane) == bits ? 1u << lane : 0u;
  return same & there;
}
template <class Type>
SINTER_HIP_DEVICE sinter_hip_ballot_type __match_all_sync(sinter_hip_mask mask, Type x, int *are_same) {
  const auto bits = sinter_hip_bits<typename sinter_hip_word_of<sizeof(Type)>::type>(x);
  const unsigned there = sinter_hip_ballot(mask, true);
  const bool differs = sinter_hip_read(mask, bits, __builtin_ctz(there)) != bits;
  *are_same = sinter_hip_ballot(mask, differs) == 0;
  return *are_same ? there : 0;
}
template <class Type> SINTER_HIP_DEVICE sinter_hip_ballot_type __match_any(Type x) {
  return __match_any_sync(sinter_hip_active(), x);
}
template <class Type> SINTER_HIP_DEVICE sinter_hip_ballot_type __match_all(Type x, int *are_same) {
  return __match_all_sync(sinter_hip_active(), x, are_same);
}

// The whole warp has an instruction on many devices; a part is combined one after the other.
#define SINTER_HIP_REDUCE(name, operation, type, kind, combined)                                                     \
  SINTER_HIP_WARP type __reduce_##name##_sync(sinter_hip_mask mask, type x) {                                        \
    if ((mask & sinter_hip_all) == sinter_hip_all)                                                                   \
      return __acpp_sscp_sub_group_reduce_##kind(operation, x);                                                      \
    const unsigned there = sinter_hip_ballot(mask, true);                                                            \
    type a = __shfl_sync(mask, x, __builtin_ctz(there));                                                             \
    for (unsigned rest = there & (there - 1); rest != 0; rest &= rest - 1) {                                         \
      const type b = __shfl_sync(mask, x, __builtin_ctz(rest));                                                      \
      a = combined;                                                                                                  \
    }                                                                                                                \
    return a;                                                                                                        \
  }
SINTER_HIP_REDUCE(add, 0, int, i32, static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)))
SINTER_HIP_REDUCE(add, 0, unsigned, u32, a + b)
SINTER_HIP_REDUCE(min, 2, int, i32, b < a ? b : a)
SINTER_HIP_REDUCE(min, 2, unsigned, u32, b < a ? b : a)
SINTER_HIP_REDUCE(max, 3, int, i32, a < b ? b : a)
SINTER_HIP_REDUCE(max, 3, unsigned, u32, a < b ? b : a)
SINTER_HIP_REDUCE(and, 4, unsigned, u32, a &b)
SINTER_HIP_REDUCE(or, 5, unsigned, u32, a | b)
SINTER_HIP_REDUCE(xor, 6, unsigned, u32, a ^ b)
#undef SINTER_HIP_REDUCE

#endif
