// f32 error functions.
#include "exponential.hpp"

namespace {
using namespace math;

// erf(x) for |x| <= 0.75: minimax polynomial in x^2 of erf(x) / x - 1; the relative error of the
// result is at most 2^-29.2.
f32 short_erf(f32 x) {
  f32 z = x * x, p = polynomial(z, 0x1.06eba8p-3f, -0x1.81273ap-2f, 0x1.ce2acep-4f, -0x1.b7a75cp-6f, 0x1.4f188ap-8f,
                                -0x1.613e52p-11f);
  return fma(x, p, x);
}

// Beyond, minimax polynomial of log2(1 - erf(x)) without a constant term, up to 4, where the result
// is 1; the relative error of the result is at most 2^-28.1.
f32 erf(f32 x) {
  f32 a = fmin(fabs(x), 4.0f);
  f32 p = polynomial(a, -0x1.a0cd3ep0f, -0x1.d586fcp-1f, -0x1.374a88p-3f, 0x1.0f419ep-5f, -0x1.31d0c4p-8f,
                     0x1.475716p-12f);
  f32 large = __builtin_copysignf(1 - approximate_exp2(a * p), x), small = short_erf(x);
  return fabs(x) > 0.75f ? large : small;
}

// With a = |x|, erfc(a) = e^-a^2 * q * P(q - 15/64), where q = 1 / (a + 2). The minimax polynomial
// is for a from 0.49 to 10.1, beyond which the result is 0; the relative error of the result is at
// most 2^-25.1. The rounding error of the square is corrected, since e^-a^2 would amplify it.
f32 erfc(f32 x) {
  f32 a = fmin(fabs(x), 10.5f), square = product(a, a);
  f32 d = a + 2, q = approximate_reciprocal(d);
  q = fma(fma(-q, d, 1.0f), q, q);
  f32 p = polynomial(q - 0.234375f, 0x1.f59d8cp-1f, 0x1.4e2b54p1f, 0x1.16aeep2f, 0x1.545d72p1f, -0x1.3c50dcp2f,
                     -0x1.ed32a4p2f, 0x1.55b6e6p3f, 0x1.1108p4f, -0x1.f9f896p4f);
  f32 sum = fmax(fma(square, -log2_e, whole + 127), whole + 1), n = sum - (whole + 127);
  f32 rest = fma(square, -log2_e_low, fma(square, -log2_e, -n));
  rest = fma(fma(a, a, -square), -log2_e, rest);
  f32 large = approximate_exp2(rest) * (q * p) * from_bits(bits(sum) << 23);
  large = x < 0 ? 2 - large : large;
  f32 small = 1 - short_erf(x);
  return fabs(x) > 0.5f ? large : small;
}

} // namespace

extern "C" {
f32 __nv_erff(f32 x) { return erf(x); }
f32 __nv_erfcf(f32 x) { return erfc(x); }
}
