// Half precision in integer arithmetic, for devices without it. The format is binary16 of IEEE 754:
// 5 exponent bits, 10 fraction bits.
#pragma once
#include "types.hpp"

namespace half_bits {

// Every half is exact as a float. A subnormal one is its fraction times the smallest half.
static inline f32 wide(u16 x) {
  u32 sign = (u32)(x & 0x8000) << 16, magnitude = x & 0x7fff;
  f32 small = (f32)magnitude * 0x1p-24f;
  // The exponent's bias is 112 larger; for infinities and NaN all exponent bits are set.
  u32 normal = (magnitude << 13) + ((magnitude >= 0x7c00 ? 224u : 112u) << 23);
  return __builtin_bit_cast(f32, sign | (magnitude < 0x400 ? __builtin_bit_cast(u32, small) : normal));
}

// Rounds to the nearest half, ties to even. Values below the smallest normal half are rounded by an
// addition, after which the low bits of the sum are those of the subnormal half.
static inline u16 of(f32 x) {
  u32 bits = __builtin_bit_cast(u32, x), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return (u16)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  // 65520 is half way between the largest half and the next power of two.
  if (magnitude >= 0x477ff000)
    return (u16)(sign | 0x7c00);
  if (magnitude < 0x38800000) {
    f32 sum = __builtin_bit_cast(f32, magnitude) + 0.5f;
    return (u16)(sign | (__builtin_bit_cast(u32, sum) - 0x3f000000));
  }
  u32 even = magnitude >> 13 & 1;
  return (u16)(sign | (magnitude - (112u << 23) + 0xfff + even) >> 13);
}

} // namespace half_bits
