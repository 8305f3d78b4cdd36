// Powers, the cube root and the length of a vector.
#include "exponential.hpp"
#include "logarithm.hpp"

namespace math {
namespace {

// A pair for f = m - 1, where m is from sqrt(1/2) to sqrt(2): s = f / (2 + f), whose inverse
// hyperbolic tangent is log(1 + f) / 2.
template <class T> INLINED pair<T> artanh_argument(T f) {
  T inverse = 1 / (f + 2), s = f * inverse;
  // f - s * (2 + f); the subtractions are exact.
  pair<T> p = product(s, f);
  return {s, ((f - 2 * s) - p.high - p.low) * inverse};
}

// log2(1 + f), to about 2^-31. The minimax polynomial replaces the series of the inverse hyperbolic
// tangent after its first term; the relative error of the sum is at most 2^-36.
INLINED pair<f32> log2_pair(f32 f) {
  constexpr f32 factor = 0x1.715476p1f, factor_low = 0x1.4ae0cp-25f;
  pair<f32> s = artanh_argument(f);
  f32 z = s.high * s.high, p = polynomial(z, 0x1.ec709ep-1f, 0x1.2776ep-1f, 0x1.a5d044p-2f, 0x1.5890b6p-2f);
  pair<f32> first = product(s.high, factor);
  // The slope of the inverse hyperbolic tangent is about 1 + z.
  f32 low = mad(s.low, z, s.low);
  return {first.high, mad(s.high * z, p, mad(s.high, factor_low, mad(low, factor, first.low)))};
}

// log2(1 + f), to about 2^-65. The minimax polynomial replaces the series after its second term;
// the relative error of the sum is at most 2^-73.5.
INLINED pair<f64> log2_pair(f64 f) {
  constexpr f64 third = 0x1.5555555555555p-1, third_low = 0x1.5555555555555p-55;
  constexpr f64 log2_e = 0x1.71547652b82fep0, log2_e_low = 0x1.777d0ffda0d24p-56;
  pair<f64> s = artanh_argument(f), z = product(s.high, s.high);
  z.low = mad(2 * s.high, s.low, z.low);
  f64 q = polynomial(z.high, 0x1.9999999999996p-2, 0x1.2492492493049p-2, 0x1.c71c71c57e0b5p-3, 0x1.745d183374faep-3,
                     0x1.3b1362689d7c1p-3, 0x1.1120c148296d6p-3, 0x1.de3196f77257ep-4, 0x1.eb20910945648p-4);
  pair<f64> v = sum(third, z.high * q), w = product(v.high, z.high);
  w.low = mad(v.high, z.low, mad(v.low + third_low, z.high, w.low));
  pair<f64> g = sum(2.0, w.high), l = product(s.high, g.high);
  l.low = mad(s.high, g.low + w.low, mad(s.low, g.high, l.low));
  pair<f64> result = product(l.high, log2_e);
  return {result.high, mad(l.high, log2_e_low, mad(l.low, log2_e, result.low))};
}

// x to the power y for a positive finite x.
template <class T> INLINED T positive_power(T x, T y) {
  constexpr T limit = sizeof(T) == 4 ? 250 : 2000;
  binary<T> b = split_binary(x, T(0x1.6a09e667f3bcdp-1));
  pair<T> l = log2_pair(b.f), s = sum(b.n, l.high), high = sum(s.high, s.low + l.low);
  pair<T> exponent = product(high.high, y);
  T low = mad(high.low, y, exponent.low), c = at_least(at_most(exponent.high, limit), -limit);
  T whole = c + layout<T>::whole, rest = c - (whole - layout<T>::whole);
  // Beyond, the error of the product may be NaN.
  return scale(short_exp2(fabs(exponent.high) < limit ? rest + low : rest), whole);
}

// The power function of IEEE 754. The remainder of y modulo 2 shows if y is an integer, and if it
// is odd. The results are selected: no case is worth a branch.
template <class T> INLINED T pow(T x, T y) {
  T a = fabs(x), left = y - 2 * trunc(T(0.5) * y);
  bool is_odd = fabs(left) == 1, is_special = a + a == a;
  bool is_undefined = (x < 0) & (left != 0) & !is_odd & (fabs(y) != infinity<T>) & !is_special;
  bits_of<T> special = y < 0 ? bits(a) ^ bits(infinity<T>) : bits(a);
  T result = positive_power(a, y);
  result = is_special ? from_bits(special) : result;
  result = a == 1 ? 1 : result;
  result = from_bits(bits(result) | (is_odd ? bits(x) & sign_bit<T> : 0));
  result = is_undefined ? not_a_number<T> : result;
  result = ((x != x) | (y != y)) ? x + y : result;
  return ((x == 1) | (y == 0)) ? 1 : result;
}

// x^(-1/3) of a positive normal x, to 2^-5: a third of the exponent and of the fraction together.
INLINED f32 inverse_root(f32 x) { return from_bits(0x54a2fa8c - (u32)((u64)bits(x) * 0x55555556 >> 32)); }
INLINED f64 inverse_root(f64 x) {
  return from_bits((0x553f09ca - ((bits(x) >> 32) * 0x55555556 >> 32)) << 32);
}

// One step to x^(-1/3): the error becomes its fourth power.
template <class T> INLINED T refined_root(T x, T root) {
  T rest = 1 - x * root * root * root;
  return mad(root * rest, polynomial(rest, T(1.0 / 3), T(2.0 / 9), T(14.0 / 81)), root);
}

// The cube root with few digits, whose square is exact, and the distance to the whole one. With
// the inverse of the latter in place of that of the root, the second term of Newton's series
// changes its sign.
template <class T> INLINED T corrected_root(T x, T inverse) {
  T root = coarse(x * inverse * inverse), square = root * root;
  pair<T> cube = product(square, root);
  T step = ((x - cube.high) - cube.low) * (inverse * inverse) * T(1.0 / 3);
  return root + mad(step * step, inverse, step);
}

INLINED f32 positive_root(f32 x) { return corrected_root(x, refined_root(x, inverse_root(x))); }
INLINED f64 positive_root(f64 x) { return corrected_root(x, refined_root(x, refined_root(x, inverse_root(x)))); }

template <class T> INLINED T cbrt(T x) {
  constexpr T up = T(sizeof(T) == 4 ? 0x1p24 : 0x1p54), down = T(sizeof(T) == 4 ? 0x1p-8 : 0x1p-18);
  T a = fabs(x);
  bool is_small = a < layout<T>::smallest_normal;
  T root = positive_root(is_small ? a * up : a);
  root = is_small ? root * down : root;
  return ((a == 0) | !(a < infinity<T>)) ? x : with_sign_of(root, x);
}

// Scaled, so that no square overflows or underflows.
template <class T> INLINED T hypot(T x, T y) {
  constexpr T large = T(sizeof(T) == 4 ? 0x1p60 : 0x1p500), small = 1 / large;
  T a = fabs(x), b = fabs(y), longer = a > b ? a : b, shorter = a > b ? b : a;
  bool is_large = longer > large, is_small = longer < small;
  constexpr T up = T(sizeof(T) == 4 ? 0x1p90 : 0x1p600), down = 1 / up;
  T factor = is_large ? down : is_small ? up : T(1), back = is_large ? up : is_small ? down : T(1);
  longer *= factor;
  shorter *= factor;
  T result = sqrt(mad(longer, longer, shorter * shorter)) * back;
  result = x != x || y != y ? x + y : result;
  return ((a == infinity<T>) | (b == infinity<T>)) ? infinity<T> : result;
}

} // namespace
} // namespace math

LANES2(pow)
LANES1(cbrt)
LANES2(hypot)
