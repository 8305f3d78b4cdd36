// The gamma function in f64, for libraries without an accurate one. To be included after
// declarations of exp, pow and sinpi for f64.
#pragma once
#include "exact.hpp"

#include "math.hpp"

namespace math {

// 1 / gamma(1 + t) for t between 0 and 1, in powers of t - 1/2: the Chebyshev interpolation at 16
// points, whose error is 5e-19 (made with mpmath's chebyfit).
constexpr f64 reciprocal_gamma[] = {
    0x1.21263fe0d7581p-26, -0x1.82a4ea6702998p-24, 0x1.f2ae41d5b51adp-25, 0x1.2172c2ddcbee9p-19,
    -0x1.d24cdaed928e6p-17, 0x1.a96374da02946p-16, 0x1.3f84605541cc3p-13, -0x1.232bd852d67ecp-10,
    0x1.15f7f0609c138p-9, 0x1.b16203e548491p-8, -0x1.5955cc3972186p-5, 0x1.a18540be33653p-5,
    0x1.669be41a93892p-3, -0x1.0da5a671c048cp-1, -0x1.514d3d90584b3p-5, 0x1.20dd750429b6dp+0};

inline f64 reciprocal_gamma_of_next(f64 t) {
  f64 sum = 0;
#pragma unroll
  for (f64 coefficient : reciprocal_gamma)
    sum = fma(sum, t - 0.5, coefficient);
  return sum;
}

// Two factors of the result: gamma of arguments above 171.6 overflows, but its reciprocal does not.
struct factors {
  f64 first, second;
};

// gamma(1 + t), where t is the fraction of x, times all numbers from 1 + t up to x. Every
// difference is exact.
inline factors gamma_of_small(f64 x) {
  f64 whole = floor(x), product = 1;
  for (f64 n = 1; n < whole; n += 1)
    product *= x - n;
  f64 gamma = 1 / reciprocal_gamma_of_next(x - whole);
  return {whole == 0 ? gamma / x : gamma, product};
}

// Stirling's series, accurate from 12 on: the next term is below 2e-18. Half of the power at a time
// does not overflow.
inline factors gamma_of_large(f64 x) {
  f64 inverse = 1 / x, square = inverse * inverse;
  f64 series = 1.0 / 156;
  series = fma(series, square, -691.0 / 360360);
  series = fma(series, square, 1.0 / 1188);
  series = fma(series, square, -1.0 / 1680);
  series = fma(series, square, 1.0 / 1260);
  series = fma(series, square, -1.0 / 360);
  series = fma(series, square, 1.0 / 12);
  constexpr f64 root_of_2_pi = 2.50662827463100050241576528481104525;
  f64 power = pow(x, x * 0.5 - 0.25);
  return {power * exp(-x) * (root_of_2_pi * exp(series * inverse)), power};
}

inline factors positive_gamma(f64 x) { return x < 12 ? gamma_of_small(x) : gamma_of_large(x); }

// Beyond 200 the result overflows or underflows.
inline f64 tgamma_of_far(f64 x) {
  if (x > 0)
    return x * __builtin_inf();
  return x == floor(x) ? not_a_number<f64> : copysign(f64(0), sinpi(x));
}

inline f64 tgamma(f64 x) {
  f64 a = fabs(x);
  if (a < 0x1p-60)
    return 1 / x;
  if (a > 200)
    return tgamma_of_far(x);
  factors gamma = positive_gamma(a);
  if (!(x < 0))
    return gamma.first * gamma.second;
  // Reflection; at integers the sine is 0.
  f64 sine = sinpi(x);
  return sine == 0 ? not_a_number<f64> : -pi<f64> / (sine * x) / gamma.first / gamma.second;
}

} // namespace math
