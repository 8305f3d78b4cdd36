// Fused multiplication and addition, and scaling by powers of two, by integers: Vulkan's `Fma` may
// round twice, and its `Ldexp` flushes subnormal numbers.
#include "library.hpp"

#include "../../generic/exponent.hpp"

LIBRARY_WHOLE(ldexp, math::ldexp)

#define INLINED __attribute__((always_inline)) static inline

namespace {

template <class T> struct format;
template <> struct format<f32> {
  using bits = u32;
  using wide = u64;
  static constexpr i32 fraction = 23, bias = 127, width = 64;
};
template <> struct format<f64> {
  using bits = u64;
  using wide = unsigned __int128;
  static constexpr i32 fraction = 52, bias = 1023, width = 128;
};

INLINED i32 leading_zeros(u32 x) { return __builtin_clz(x); }
INLINED i32 leading_zeros(u64 x) { return __builtin_clzll(x); }
INLINED i32 leading_zeros(unsigned __int128 x) {
  u64 high = (u64)(x >> 64);
  return high ? leading_zeros(high) : 64 + leading_zeros((u64)x);
}

// A finite number other than zero: significand * 2^(exponent - bias - fraction).
template <class T> struct split {
  typename format<T>::bits significand;
  i32 exponent;
  bool is_negative;
};

template <class T> INLINED split<T> take_apart(T x) {
  using F = format<T>;
  using bits = typename F::bits;
  constexpr i32 size = sizeof(T) * 8;
  bits all = __builtin_bit_cast(bits, x), fraction = all & (((bits)1 << F::fraction) - 1);
  i32 exponent = (i32)(all >> F::fraction) & (2 * F::bias + 1);
  bool is_negative = all >> (size - 1);
  if (exponent)
    return {fraction | (bits)1 << F::fraction, exponent, is_negative};
  i32 shift = leading_zeros(fraction | 1) - (size - 1 - F::fraction);
  return {fraction << shift, 1 - shift, is_negative};
}

// Shifts to the right; the lowest bit is set if any bit is lost.
template <class W> INLINED W shifted(W x, i32 by, i32 width) {
  if (by >= width)
    return x != 0;
  return x >> by | (W)((x & (((W)1 << by) - 1)) != 0);
}

template <class T> INLINED bool is_special(T x) { return x == 0 || x - x != 0; }

template <class T> INLINED T rounded(typename format<T>::wide sum, i32 exponent, i32 top, bool is_negative) {
  using F = format<T>;
  using bits = typename F::bits;
  using wide = typename F::wide;
  i32 lead = F::width - 1 - leading_zeros(sum);
  exponent += lead - top;
  i32 by = lead - F::fraction;
  if (exponent <= 0) {
    by += 1 - exponent;
    exponent = 1;
    if (by >= F::width)
      by = F::width - 1;
  }
  bits kept;
  if (by <= 0) {
    kept = (bits)(sum << -by);
  } else {
    wide rest = sum & (((wide)1 << by) - 1), half = (wide)1 << (by - 1);
    kept = (bits)(sum >> by);
    kept += rest > half || (rest == half && (kept & 1));
  }
  bits infinity = (bits)(2 * F::bias + 1) << F::fraction;
  bits result = exponent > 2 * F::bias ? infinity : ((bits)(exponent - 1) << F::fraction) + kept;
  result = result > infinity ? infinity : result;
  return __builtin_bit_cast(T, result | (bits)is_negative << (sizeof(T) * 8 - 1));
}

template <class T> INLINED T fused(T x, T y, T z) {
  using F = format<T>;
  using wide = typename F::wide;
  if (is_special(x) || is_special(y) || z - z != 0)
    return x * y + z;
  split<T> a = take_apart(x), b = take_apart(y);
  // The highest bit of the product is this one or the one below.
  constexpr i32 top = F::width - 3;
  wide product = (wide)a.significand * b.significand << (top - 2 * F::fraction - 1);
  i32 exponent = a.exponent + b.exponent - F::bias + 1;
  bool is_negative = a.is_negative != b.is_negative;
  if (z == 0)
    return rounded<T>(product, exponent, top, is_negative);
  split<T> c = take_apart(z);
  wide addend = (wide)c.significand << (top - F::fraction);
  i32 distance = exponent - c.exponent;
  if (distance > 0) {
    addend = shifted(addend, distance, F::width);
  } else {
    product = shifted(product, -distance, F::width);
    exponent = c.exponent;
  }
  if (is_negative == c.is_negative)
    return rounded<T>(product + addend, exponent, top, is_negative);
  if (product == addend)
    return 0;
  bool is_larger = product > addend;
  return rounded<T>(is_larger ? product - addend : addend - product, exponent, top, is_larger == is_negative);
}

} // namespace

DEFINE(f32, fma, (f32 x, f32 y, f32 z), fused(x, y, z))
DEFINE(f64, fma, (f64 x, f64 y, f64 z), fused(x, y, z))
