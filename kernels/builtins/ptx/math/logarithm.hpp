// Range reduction and polynomial of the f32 logarithms.
#pragma once
#include "instructions.hpp"

namespace math {

// x = 2^n * (1 + f).
struct binary {
  f32 n, f;
};

// The bits to subtract from the exponent of x so that the remaining factor is from `lowest` to
// twice that.
inline u32 exponent_bits(f32 x, f32 lowest) { return (bits(x) - bits(lowest)) & 0xff800000; }

// Splits a positive finite x. The remaining factor is from `lowest` to twice that.
inline binary split_binary(f32 x, f32 lowest) {
  bool is_small = x < 0x1p-126f;
  f32 normal = is_small ? x * 0x1p23f : x;
  u32 exponent = exponent_bits(normal, lowest);
  return {fma((f32)(i32)exponent, 0x1p-23f, is_small ? -23.0f : 0.0f), from_bits(bits(normal) - exponent) - 1};
}

constexpr f32 two_thirds = 0x1.555556p-1f;

// (log(1 + f) - f) / f^2 for |f| <= 1/3, as a minimax polynomial; the relative error of the
// logarithm is at most 2^-25.1.
inline f32 log_behind_first(f32 f) {
  return polynomial(f, -0x1.ffffd6p-2f, 0x1.5554fcp-2f, -0x1.001462p-2f, 0x1.99d3c6p-3f, -0x1.50347ap-3f, 0x1.1ea5p-3f,
                     -0x1.3b2986p-3f, 0x1.1f4452p-3f);
}

// log(1 + f).
inline f32 log_near_1(f32 f) { return fma(f * f, log_behind_first(f), f); }

// Special values of the logarithm: infinity for positive infinity, negative infinity for zeros, NaN
// for negative numbers and NaN.
inline f32 with_special_logarithms(f32 x, f32 logarithm) {
  f32 result = bits(x) >= bits(infinity) ? fma(x, infinity, infinity) : logarithm;
  return x == 0 ? -infinity : result;
}

} // namespace math
