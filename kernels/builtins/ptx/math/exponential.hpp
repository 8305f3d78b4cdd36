// The exponential function as a power of 2.
#pragma once
#include "instructions.hpp"

namespace math {

// 2^rest * scale, where the scale is a power of 2 in the range of normal numbers. If the power is
// out of range, the rest is large and overflows or underflows instead.
struct scaled {
  f32 rest, scale;
};

// 2^n and n, where n is the integer nearest to x * log2(base), clamped to the exponents of normal
// numbers.
struct whole_power {
  f32 n, scale;
};

inline whole_power nearest_power(f32 x, f32 log2_base) {
  constexpr f32 lowest = -126, count = 253;
  // Distance from the lowest exponent, as a fraction of the exponent range: saturated.
  f32 place = saturate(fma(x, log2_base / count, -lowest / count));
  // The low bits are the exponent in f32's encoding.
  f32 sum = fma(place, count, whole + 1);
  return {sum - (whole + 1 - lowest), from_bits(bits(sum) << 23)};
}

// Splits x * (high + low): `high` is the rounded base-2 logarithm of the base, and `low` its
// rounding error.
inline scaled split_power(f32 x, f32 high, f32 low) {
  whole_power p = nearest_power(x, high);
  return {fma(x, low, fma(x, high, -p.n)), p.scale};
}

inline f32 power(scaled p) { return approximate_exp2(p.rest) * p.scale; }

constexpr f32 log2_e = 0x1.715476p0f, log2_e_low = 0x1.4ae0cp-26f;

inline scaled split_exp(f32 x) { return split_power(x, log2_e, log2_e_low); }

} // namespace math
