// Exponential and hyperbolic functions.
#include "exponential.hpp"

namespace math {
namespace {

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
