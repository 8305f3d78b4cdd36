// Inverse trigonometric functions.
#include "lanes.hpp"

namespace math {
namespace {

// pi/4 as a number whose multiples up to 4 are exact, and the rest.
template <class T> struct eighth_turn;
template <> struct eighth_turn<f32> {
  static constexpr f32 high = 0x1.921fbp-1f, low = 0x1.5110b4p-23f;
};
template <> struct eighth_turn<f64> {
  static constexpr f64 high = 0x1.921fb54442d18p-1, low = 0x1.1a62633145c07p-55;
};

// An eighth turn times `count`, plus x.
template <class T> INLINED T ahead_by(T count, T x) {
  return mad(count, eighth_turn<T>::high, mad(count, eighth_turn<T>::low, x));
}

// Minimax polynomials in t^2 of (atan(t) / t - 1) / t^2 for |t| <= tan(pi/8); the relative error of
// the result is at most 2^-30.5 and 2^-59.4.
INLINED f32 short_atan(f32 t) {
  f32 z = t * t;
  f32 p = polynomial(z, -0x1.55554ap-2f, 0x1.99918ep-3f, -0x1.23b48ep-3f, 0x1.b1e31ap-4f, -0x1.f1bd0ap-5f);
  return mad(t * z, p, t);
}
INLINED f64 short_atan(f64 t) {
  f64 z = t * t;
  f64 p = polynomial(z, -0x1.555555555553cp-2, 0x1.9999999995735p-3, -0x1.24924922a6589p-3, 0x1.c71c70e36fad1p-4,
                     -0x1.745cf8930bddcp-4, 0x1.3b11141b2b761p-4, -0x1.10eb801dbb2aep-4, 0x1.df0c21338b4a2p-5,
                     -0x1.9cc4916ed0238p-5, 0x1.37b1c9346e1f9p-5, -0x1.251c01080ee39p-6);
  return mad(t * z, p, t);
}

template <class T> constexpr T tan_of_16th = T(0x1.a827999fcef32p-2);
template <class T> constexpr T tan_of_3_16ths = T(0x1.3504f333f9de6p1);

// The tangent of the angle less 0, 1 or 2 eighth turns is a quotient.
template <class T> INLINED T atan(T x) {
  T a = fabs(x);
  bool is_middle = a > tan_of_16th<T>, is_large = a > tan_of_3_16ths<T>;
  T above = is_large ? T(-1) : is_middle ? a - 1 : a, below = is_large ? a : is_middle ? a + 1 : T(1);
  T count = is_large ? T(2) : is_middle ? T(1) : T(0);
  return copysign(ahead_by(count, short_atan(above / below)), x);
}

// The angle in the first eighth of the turn, mirrored at one eighth and at two.
template <class T> INLINED T atan2(T y, T x) {
  T a = fabs(x), b = fabs(y), longer = a > b ? a : b, shorter = a > b ? b : a;
  // Two infinities are an eighth turn, and so are two zeros no turn.
  bool is_infinite = shorter == infinity<T>;
  T down = longer > T(sizeof(T) == 4 ? 0x1p120 : 0x1p1000) ? T(0.25) : T(1);
  longer = (is_infinite | (longer == 0)) ? T(1) : longer * down;
  shorter = is_infinite ? T(1) : shorter * down;
  bool is_middle = shorter > tan_of_16th<T> * longer, is_steep = b > a, is_back = bits(x) >> (sizeof(T) * 8 - 1);
  T angle = short_atan((is_middle ? shorter - longer : shorter) / (is_middle ? shorter + longer : longer));
  T count = is_middle ? T(1) : T(0);
  angle = is_steep != is_back ? -angle : angle;
  count = is_steep ? 2 - count : count;
  count = is_back ? 4 - count : count;
  T result = copysign(ahead_by(count, angle), y);
  return ((x != x) | (y != y)) ? x + y : result;
}

// Minimax polynomials in z = x^2 of (asin(x) / x - 1) / x^2 for |x| <= 1/2; the relative error of
// the result is at most 2^-27.6 and 2^-59.9.
INLINED f32 behind_asin(f32 z) {
  return polynomial(z, 0x1.5555c8p-3f, 0x1.3301ccp-4f, 0x1.7480ep-5f, 0x1.8c0c7cp-6f, 0x1.59867ep-5f);
}
INLINED f64 behind_asin(f64 z) {
  return polynomial(z, 0x1.5555555555577p-3, 0x1.333333332e08p-4, 0x1.6db6db721a6c8p-5, 0x1.f1c71a91f4426p-6,
                    0x1.6e8bdf3533e55p-6, 0x1.1c49ea54a9bf9p-6, 0x1.ca2020296e9ep-7, 0x1.7580c6176ca02p-7,
                    0x1.6157b160d83f8p-7, 0x1.e45478a951e7fp-9, 0x1.641d73acb8372p-6, -0x1.58b728f9691dp-6,
                    0x1.0b81c8553098dp-5);
}

// The arc sine of |x| up to 1/2; beyond, that of the sine of half the complementary angle.
template <class T> struct arc {
  T angle;
  bool is_half;
};
template <class T> INLINED arc<T> split_arc(T x) {
  T a = fabs(x);
  bool is_half = a > T(0.5);
  T z = is_half ? T(0.5) * (1 - a) : a * a, s = is_half ? sqrt(z) : a;
  return {mad(s * z, behind_asin(z), s), is_half};
}

template <class T> INLINED T asin(T x) {
  arc<T> a = split_arc(x);
  return copysign(a.is_half ? ahead_by(T(2), -2 * a.angle) : a.angle, x);
}

template <class T> INLINED T acos(T x) {
  arc<T> a = split_arc(x);
  T angle = a.is_half ? 2 * a.angle : a.angle;
  bool is_negative = x < 0;
  T count = a.is_half ? is_negative ? T(4) : T(0) : T(2);
  return ahead_by(count, is_negative != a.is_half ? angle : -angle);
}

} // namespace
} // namespace math

LANES1(atan)
LANES2(atan2)
LANES1(asin)
LANES1(acos)
