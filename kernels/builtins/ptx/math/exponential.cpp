// f32 functions based on the exponential function. The error bounds are those in
// tests/patterns.cpp.
#include "exponential.hpp"

namespace {
using namespace math;

f32 exp10(f32 x) { return power(split_power(x, 0x1.a934fp1f, 0x1.2f346ep-24f)); }

// x = n ln(2) + rest, for n from `Lowest` to `Highest`; `part` is 2^n, scaled so that all of them
// are representable. If n is out of range, the rest is large.
struct natural {
  f32 rest, part;
};

template <int Lowest, int Highest> natural split_natural(f32 x) {
  constexpr f32 count = Highest - Lowest, ln_2 = 0x1.62e43p-1f, ln_2_low = -0x1.05c61p-29f;
  // The low bits are the exponent of the part in f32's encoding.
  constexpr f32 zero = whole + (254 - Highest);
  f32 place = saturate(fma(x, log2_e / count, -Lowest / count));
  f32 sum = fma(place, count, zero + Lowest), n = sum - zero;
  return {fma(n, -ln_2_low, fma(n, -ln_2, x)), from_bits(bits(sum) << 23)};
}

// e^r - 1. Minimax polynomial of (e^r - 1 - r) / r^2 for |r| <= 0.3473; the relative error of the
// sum is at most 2^-26.
f32 short_expm1(f32 r) {
  f32 q = polynomial(r, 0x1.fffffep-2f, 0x1.5554a8p-3f, 0x1.555796p-5f, 0x1.122e28p-7f, 0x1.6ac052p-10f);
  return fma(r * r, q, r);
}

// (2^n - 1) + 2^n * (e^r - 1). Computed as half of it, since 2^128 overflows.
f32 expm1(f32 x) {
  natural p = split_natural<-26, 128>(x);
  f32 result = 2 * fma(p.part, short_expm1(p.rest), p.part - 0.5f);
  result = x < -17.5f ? -1.0f : result;
  return fabs(x) < 0x1p-25f ? x : result;
}

// A quarter of e^|x|, which overflows later than cosh and sinh.
f32 quarter_exp(f32 x) {
  natural p = split_natural<0, 129>(fabs(x));
  return fma(p.part, short_expm1(p.rest), p.part);
}

// The sum is not near zero, so the approximate power is accurate enough.
f32 cosh(f32 x) {
  scaled p = split_exp(fabs(x));
  f32 e = approximate_exp2(p.rest) * (0.25f * p.scale);
  return fma(2.0f, e, 0.125f * approximate_reciprocal(e));
}

// Minimax polynomial in x^2 of (sinh(x) / x - 1) / x^2 for |x| <= 1; the relative error of the sum
// is at most 2^-25.3.
f32 sinh(f32 x) {
  f32 e = quarter_exp(x), z = x * x;
  f32 large = __builtin_copysignf(fma(2.0f, e, -0.125f * approximate_reciprocal(e)), x);
  f32 small = fma(z * polynomial(z, 0x1.555598p-3f, 0x1.10f76p-7f, 0x1.ab428ap-13f), x, x);
  return fabs(x) > 1 ? large : small;
}

// Minimax polynomial in x^2 of (tanh(x) / x - 1) / x^2 for |x| <= 0.55; the relative error of the
// sum is at most 2^-24.7.
f32 tanh(f32 x) {
  f32 e = approximate_exp2(fabs(x) * (2 * log2_e)), z = x * x;
  f32 large = __builtin_copysignf(fma(-2.0f, approximate_reciprocal(e + 1), 1.0f), x);
  f32 p = polynomial(z, -0x1.555452p-2f, 0x1.10cefcp-3f, -0x1.af7d36p-5f, 0x1.0d5174p-6f);
  // Adding positive zero keeps the sign of a zero result.
  f32 small = fma(fma(z, p, 0.0f), x, x);
  return fabs(x) > 0.55f ? large : small;
}

} // namespace

extern "C" {
f32 __nv_expf(f32 x) { return power(split_exp(x)); }
f32 __nv_exp2f(f32 x) { return approximate_exp2_whole(x); }
f32 __nv_exp10f(f32 x) { return exp10(x); }
f32 __nv_expm1f(f32 x) { return expm1(x); }
f32 __nv_coshf(f32 x) { return cosh(x); }
f32 __nv_sinhf(f32 x) { return sinh(x); }
f32 __nv_tanhf(f32 x) { return tanh(x); }
}
