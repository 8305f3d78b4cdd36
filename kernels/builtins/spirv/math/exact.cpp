// Fused multiplication and addition, and scaling by powers of two: Vulkan's `Fma` may round twice,
// and its `Ldexp` flushes subnormal numbers.
#include "library.hpp"

#include "../../generic/exponent.hpp"
#include "../features.hpp"

LIBRARY_WHOLE(ldexp, math::ldexp)

#define INLINED __attribute__((always_inline)) static inline

namespace {

// The format of `float`, and of the integers that hold its numbers and their products.
using bits = u32;
using wide = u64;
constexpr i32 fraction_bits = 23, bias = 127, width = 64;

// A finite number other than zero: significand * 2^(exponent - bias - fraction_bits).
struct split {
  bits significand;
  i32 exponent;
  bool is_negative;
};

INLINED split take_apart(f32 x) {
  bits all = __builtin_bit_cast(bits, x), fraction = all & (((bits)1 << fraction_bits) - 1);
  i32 exponent = (i32)(all >> fraction_bits) & (2 * bias + 1);
  bool is_negative = all >> 31;
  if (exponent)
    return {fraction | (bits)1 << fraction_bits, exponent, is_negative};
  i32 shift = __builtin_clz(fraction | 1) - (31 - fraction_bits);
  return {fraction << shift, 1 - shift, is_negative};
}

// Shifts to the right; the lowest bit is set if any bit is lost.
INLINED wide shifted(wide x, i32 by) {
  if (by >= width)
    return x != 0;
  return x >> by | (wide)((x & (((wide)1 << by) - 1)) != 0);
}

template <class T> INLINED i32 is_special(T x) { return (i32)(x == 0) | (i32)(x - x != 0); }

INLINED f32 rounded(wide sum, i32 exponent, i32 top, bool is_negative) {
  i32 lead = width - 1 - __builtin_clzll(sum);
  exponent += lead - top;
  i32 by = lead - fraction_bits;
  if (exponent <= 0) {
    by += 1 - exponent;
    exponent = 1;
    if (by >= width)
      by = width - 1;
  }
  bits kept;
  if (by <= 0) {
    kept = (bits)(sum << -by);
  } else {
    wide rest = sum & (((wide)1 << by) - 1), half = (wide)1 << (by - 1);
    kept = (bits)(sum >> by);
    kept += rest > half || (rest == half && (kept & 1));
  }
  bits infinity = (bits)(2 * bias + 1) << fraction_bits;
  bits result = exponent > 2 * bias ? infinity : ((bits)(exponent - 1) << fraction_bits) + kept;
  result = result > infinity ? infinity : result;
  return __builtin_bit_cast(f32, result | (bits)is_negative << 31);
}

INLINED f32 fused_by_integers(f32 x, f32 y, f32 z) {
  if (is_special(x) || is_special(y))
    return x * y + z;
  if (z - z != 0)
    return z + z;
  split a = take_apart(x), b = take_apart(y);
  // The highest bit of the product is this one or the one below.
  constexpr i32 top = width - 3;
  wide product = (wide)a.significand * b.significand << (top - 2 * fraction_bits - 1);
  i32 exponent = a.exponent + b.exponent - bias + 1;
  bool is_negative = a.is_negative != b.is_negative;
  if (z == 0)
    return rounded(product, exponent, top, is_negative);
  split c = take_apart(z);
  wide addend = (wide)c.significand << (top - fraction_bits);
  i32 distance = exponent - c.exponent;
  if (distance > 0) {
    addend = shifted(addend, distance);
  } else {
    product = shifted(product, -distance);
    exponent = c.exponent;
  }
  if (is_negative == c.is_negative)
    return rounded(product + addend, exponent, top, is_negative);
  if (product == addend)
    return 0;
  bool is_larger = product > addend;
  return rounded(is_larger ? product - addend : addend - product, exponent, top, is_larger == is_negative);
}

// The exact sum is sum + error (Knuth).
struct two {
  f64 sum, error;
};

INLINED two exact_sum(f64 x, f64 y) {
  f64 sum = x + y, part = sum - x;
  return {sum, (x - (sum - part)) + (y - part)};
}

// A sum whose last bit is set if it is not exact, so that it may be rounded once more.
INLINED f64 odd_sum(f64 x, f64 y) {
  two exact = exact_sum(x, y);
  u64 bits = __builtin_bit_cast(u64, exact.sum), rest = __builtin_bit_cast(u64, exact.error);
  u64 odd = bits + 1 - ((bits ^ rest) >> 63 << 1);
  // The error of an infinite sum is no number.
  u64 is_inexact = (exact.error < 0) | (exact.error > 0);
  return __builtin_bit_cast(f64, (is_inexact & ~bits) ? odd : bits);
}

// The upper 26 bits of a number (Dekker).
INLINED f64 upper(f64 x) {
  f64 scaled = x * 134217729;
  return scaled - (scaled - x);
}

// A finite number other than zero: significand * 2^exponent, with a significand of 1 to 2.
struct scaled {
  f64 significand;
  i32 exponent;
};

INLINED f64 power_of_two(i32 exponent) { return __builtin_bit_cast(f64, (u64)(exponent + 1023) << 52); }

INLINED scaled scale(f64 x) {
  f64 larger = x * power_of_two(54);
  bool is_subnormal = !(__builtin_bit_cast(u64, x) << 1 >> 53);
  u64 bits = __builtin_bit_cast(u64, is_subnormal ? larger : x);
  i32 exponent = (i32)(bits >> 52 & 2047) - 1023 - (is_subnormal ? 54 : 0);
  bits = (bits & ~(2047ull << 52)) | 1023ull << 52;
  return {__builtin_bit_cast(f64, bits), exponent};
}

// The number whose exponent is larger by so much.
INLINED f64 with_exponent(f64 x, i32 more) {
  return __builtin_bit_cast(f64, __builtin_bit_cast(u64, x) + ((u64)(i64)more << 52));
}

// Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", for numbers close to 1: so
// no step underflows or overflows. Code without branches.
INLINED f64 fused(f64 x, f64 y, f64 z) {
  scaled a = scale(x), b = scale(y), c = scale(z);
  i32 exponent = a.exponent + b.exponent, distance = c.exponent - exponent;
  // Farther away, only the sign of the smaller one matters.
  constexpr i32 far = 120;
  exponent = distance > far ? c.exponent - far : exponent;
  distance = distance > far ? far : distance < -far ? -far : distance;
  f64 x1 = upper(a.significand), x2 = a.significand - x1, y1 = upper(b.significand), y2 = b.significand - y1;
  f64 product = a.significand * b.significand;
  f64 error = ((x1 * y1 - product) + x1 * y2 + x2 * y1) + x2 * y2;
  two low = exact_sum(with_exponent(c.significand, distance), error), high = exact_sum(product, low.sum);
  two whole = exact_sum(high.sum, odd_sum(low.error, high.error));
  f64 sum = whole.sum;
  // A subnormal result is rounded to a multiple of the smallest one by adding a large number.
  i32 least = exponent < -1300 ? 1300 : -exponent;
  u64 sign = __builtin_bit_cast(u64, sum) >> 63 << 63;
  f64 large = __builtin_bit_cast(f64, sign | __builtin_bit_cast(u64, power_of_two(least - 1022)));
  two shifted = exact_sum(large, sum);
  f64 multiple = shifted.sum + odd_sum(shifted.error, whole.error);
  u64 subnormal = sign | (__builtin_bit_cast(u64, multiple) - __builtin_bit_cast(u64, large));
  i32 size = (i32)(__builtin_bit_cast(u64, sum) >> 52 & 2047) + exponent;
  u64 normal = size > 2046 ? sign | 2047ull << 52 : __builtin_bit_cast(u64, with_exponent(sum, exponent));
  f64 result = sum == 0 ? 0 : __builtin_bit_cast(f64, size > 0 ? normal : subnormal);
  i32 is_product_special = is_special(x) | is_special(y);
  f64 plain = is_product_special ? x * y + z : z == 0 ? x * y : z + z;
  return (is_product_special | is_special(z)) ? plain : result;
}

// The product is exact in double precision.
INLINED f32 fused(f32 x, f32 y, f32 z) {
  return __sinter_spirv_has_fp64() ? (f32)odd_sum((f64)x * (f64)y, z) : fused_by_integers(x, y, z);
}

} // namespace

DEFINE(f32, fma, (f32 x, f32 y, f32 z), fused(x, y, z))
DEFINE(f64, fma, (f64 x, f64 y, f64 z), fused(x, y, z))
