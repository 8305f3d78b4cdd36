// Emulates NVIDIA GPU instructions that the CPU lacks, as the PTX manual describes them. Results of
// approximate instructions have the maximum error, in one direction.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace instructions {

// -1, 0 or 1: approximations are too small, rounded, or too large.
inline int deviation = 0;

// The f32 number with this error, or the next one towards the exact value.
inline float off(double exact, double error) {
  if (deviation == 0 || exact == 0 || !std::isfinite(exact))
    return float(exact);
  const double wanted = exact + deviation * error;
  float near = float(wanted);
  if (deviation > 0 ? near > wanted : near < wanted)
    near = std::nextafter(near, float(exact));
  return std::isinf(near) || near * exact <= 0 ? float(exact) : near;
}

inline float off_by_units(double exact, int units) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  return off(exact, units * std::ldexp(1.0, std::max(exponent, -125) - 24));
}

inline float flush(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x; }

// Saturates. NaN becomes 0, or the smallest integer if either type has 64 bits.
template <class To, class From> To convert(From x) {
  using limits = std::numeric_limits<To>;
  if (x != x)
    return sizeof(To) == 8 || sizeof(From) == 8 ? limits::min() : 0;
  if (x >= From(limits::max()))
    return limits::max();
  return x <= From(limits::min()) ? limits::min() : To(x);
}

} // namespace instructions

extern "C" {
[[gnu::used]] std::int32_t convert_float_i32(float x) { return instructions::convert<std::int32_t>(x); }
[[gnu::used]] std::int32_t convert_double_i32(double x) { return instructions::convert<std::int32_t>(x); }
[[gnu::used]] std::int64_t convert_double_i64(double x) { return instructions::convert<std::int64_t>(x); }
// CUDA's tables give 2 units for exp2f and rsqrtf, which are these instructions.
[[gnu::used]] float approximate_rsqrt(float x) { return instructions::off_by_units(1 / std::sqrt(double(x)), 2); }
[[gnu::used]] float approximate_exp2(float x) { return instructions::off_by_units(std::exp2(double(x)), 2); }
[[gnu::used]] float approximate_exp2_flushed(float x) {
  return instructions::flush(approximate_exp2(instructions::flush(x)));
}
[[gnu::used]] float approximate_reciprocal(float x) {
  return instructions::flush(instructions::off_by_units(1 / double(instructions::flush(x)), 1));
}
[[gnu::used]] double approximate_reciprocal_f64(double x) { return 1 / x * (1 + instructions::deviation * 0x1p-19); }
// Error of 2^-22, absolute from 1/2 to 2, else relative.
[[gnu::used]] float approximate_log2(float x) {
  const double exact = std::log2(double(x));
  return instructions::off(exact, 0x1p-22 * (x >= 0.5f && x <= 2 ? 1 : std::fabs(exact)));
}
[[gnu::used]] float saturate(float x) { return x != x ? 0 : std::min(std::max(x, 0.0f), 1.0f); }
[[gnu::used]] float product(float x, float y) { return x * y; }
}
