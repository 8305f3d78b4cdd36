// Exponential and hyperbolic functions.
#include "exponential.hpp"

namespace math {
namespace {

template <class T> INLINED T exp2(T x) {
  constexpr T limit = sizeof(T) == 4 ? 160 : 1100;
  T c = at_least(at_most(x, limit), -limit), sum = c + layout<T>::whole;
  return scale(short_exp2(c - (sum - layout<T>::whole)), sum);
}

// The base-2 logarithm of 10, and the limit beyond which the result overflows or is zero.
template <class T> struct decimal;
template <> struct decimal<f32> {
  static constexpr f32 log2_10 = 0x1.a934fp1f, limit = 48;
};
template <> struct decimal<f64> {
  static constexpr f64 log2_10 = 0x1.a934f0979a371p1, limit = 325;
};

// 10^r for |r| <= log10(2) / 2: a minimax polynomial of (10^r - 1) / r, with a relative error of
// 2^-28.9 and 2^-64.3.
INLINED f32 short_exp10(f32 r) {
  f32 p = polynomial(r, 0x1.26bb1cp1f, 0x1.53524ap1f, 0x1.046f66p1f, 0x1.2bd9dap0f, 0x1.15852ep-1f, 0x1.a68b52p-3f);
  return mad(r, p, 1.0f);
}
INLINED f64 short_exp10(f64 r) {
  f64 p = polynomial(r, 0x1.26bb1bbb55516p1, 0x1.53524c73cea69p1, 0x1.0470591de2cadp1, 0x1.2bd7609fd9872p0,
                     0x1.1429ffd1d1a14p-1, 0x1.a7ed70849b76cp-3, 0x1.16e4dfd2bb70dp-4, 0x1.4116b00fb5af3p-6,
                     0x1.48977bef4b92p-8, 0x1.2ea5dcb36f6dbp-10, 0x1.fc129981ff206p-13, 0x1.8430175219093p-15);
  return mad(r, p, 1.0);
}

template <class T> INLINED T exp10(T x) {
  T c = at_least(at_most(x, decimal<T>::limit), -decimal<T>::limit);
  T sum = mad(c, decimal<T>::log2_10, layout<T>::whole), n = sum - layout<T>::whole;
  return scale(short_exp10(mad(n, -log10_2<T>::low, mad(n, -log10_2<T>::high, c))), sum);
}

// Half of e^|x| overflows only if the results do.
template <class T> INLINED T cosh(T x) {
  T half_exp = exp(fabs(x), 1);
  return half_exp + T(0.25) / half_exp;
}

// Minimax polynomial in x^2 of (sinh(x) / x - 1) / x^2 for |x| <= 1; the relative error of the sum
// is at most 2^-25.3 and 2^-63.3.
INLINED f32 short_sinh(f32 x) {
  f32 z = x * x;
  return mad(z * polynomial(z, 0x1.555598p-3f, 0x1.10f77ep-7f, 0x1.ab3c3ap-13f), x, x);
}
INLINED f64 short_sinh(f64 x) {
  f64 z = x * x;
  f64 p = polynomial(z, 0x1.5555555555556p-3, 0x1.11111111110a6p-7, 0x1.a01a01a028999p-13, 0x1.71de3a465b3bdp-19,
                     0x1.ae64671b0b2d5p-26, 0x1.611a561fadac6p-33, 0x1.b4c75ae0c9a64p-41);
  return mad(z * p, x, x);
}

template <class T> INLINED T sinh(T x) {
  T half_exp = exp(fabs(x), 1), large = half_exp - T(0.25) / half_exp;
  return fabs(x) > 1 ? with_sign_of(large, x) : short_sinh(x);
}

// From `limit` on, the result is 1.
template <class T> INLINED T tanh(T x) {
  constexpr T limit = sizeof(T) == 4 ? 10 : 20;
  T e = expm1(2 * at_most(fabs(x), limit));
  return copysign(e / (e + 2), x);
}

} // namespace
} // namespace math

LANES1(exp)
LANES1(exp2)
LANES1(exp10)
LANES1(expm1)
LANES1(cosh)
LANES1(sinh)
LANES1(tanh)
