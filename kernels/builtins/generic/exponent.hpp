// Functions on the exponent bits of a number, for libraries that flush or mishandle subnormal
// numbers.
#pragma once
#include "exact.hpp"

namespace math {

template <class T> struct layout;
template <> struct layout<f32> {
  using bits = u32;
  static constexpr i32 fraction = 23, bias = 127;
};
template <> struct layout<f64> {
  using bits = u64;
  static constexpr i32 fraction = 52, bias = 1023;
};

// 2 to the power of the exponent of a normal number.
template <class T> inline T power_of_2(i32 exponent) {
  using bits = typename layout<T>::bits;
  return __builtin_bit_cast(T, (bits)(exponent + layout<T>::bias) << layout<T>::fraction);
}

// Rounds once: intermediate products are subnormal or infinite only if the result is.
template <class T> inline T ldexp(T x, i32 n) {
  constexpr i32 highest = layout<T>::bias, lowest = 1 - highest, digits = layout<T>::fraction + 1;
  for (i32 i = 0; i < 2 && n > highest; ++i) {
    x *= power_of_2<T>(highest);
    n -= highest;
  }
  for (i32 i = 0; i < 2 && n < lowest; ++i) {
    x *= power_of_2<T>(lowest + digits);
    n -= lowest + digits;
  }
  return x * power_of_2<T>(n > highest ? highest : n < lowest ? lowest : n);
}

template <class T> inline T frexp(T x, i32 *exponent) {
  using bits = typename layout<T>::bits;
  constexpr i32 fraction = layout<T>::fraction, bias = layout<T>::bias;
  bool is_small = fabs(x) < power_of_2<T>(1 - bias);
  T normal = is_small ? x * power_of_2<T>(fraction + 1) : x;
  bits pattern = __builtin_bit_cast(bits, normal), field = (bits)(2 * bias + 1) << fraction;
  i32 found = (i32)((pattern & field) >> fraction) - (is_small ? fraction + 1 : 0);
  bool is_whole = x == 0 || !__builtin_isfinite(x);
  *exponent = is_whole ? 0 : found - (bias - 1);
  return is_whole ? x : __builtin_bit_cast(T, (pattern & ~field) | (bits)(bias - 1) << fraction);
}

// As in the C library: the largest i32 for an infinity, the smallest for zero and NaN.
template <class T> inline i32 ilogb(T x) {
  constexpr i32 largest = 0x7fffffff;
  i32 exponent;
  frexp(x, &exponent);
  return x == 0 || x != x ? -largest - 1 : __builtin_isinf(x) ? largest : exponent - 1;
}

} // namespace math
