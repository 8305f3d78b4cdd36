// The normal distribution and error functions that the C library lacks.
//
// *Invariant:* those of float are computed in double.
#ifndef HIP_DETAIL_SPECIAL_HPP
#define HIP_DETAIL_SPECIAL_HPP

#include "attributes.hpp"

#include <math.h>

// exp(x * x) * erfc(x), also where one of them is beyond the range: far away by the asymptotic
// expansion (Abramowitz and Stegun, 7.1.23).
SINTER_HIP_BOTH double erfcx(double x) {
  const double square = x * x, rest = fma(x, x, -square);
  if (x < 10)
    return exp(square) * (1 + rest) * erfc(x);
  double sum = 1, term = 1;
  for (int k = 1; k <= 14; ++k)
    sum += term *= -(2 * k - 1) / (2 * square);
  return sum / (x * 1.77245385090551602730);
}

// x with erfc(x) = q, from an estimate (Winitzki's formula) in Halley's steps.
SINTER_HIP_BOTH double sinter_hip_erfc_inverse(double q) {
  if (!(q > 0 && q < 2))
    return q == 0 ? HUGE_VAL : q == 2 ? -HUGE_VAL : static_cast<double>(NAN);
  const double small = q > 1 ? 2 - q : q, logarithm = log(small * (2 - small));
  const double t = 4.3307467508 + logarithm / 2;
  double x = sqrt(sqrt(t * t - logarithm / 0.147) - t);
  for (int k = 0; k < 4; ++k) {
    const double error = (erfc(x) - small) / (-1.12837916709551257390 * exp(-x * x));
    x -= error / (1 + x * error);
  }
  return q > 1 ? -x : x;
}
SINTER_HIP_BOTH double erfcinv(double q) { return sinter_hip_erfc_inverse(q); }
// Near 0 the equation is erf(x) = p, so that no digit is lost.
SINTER_HIP_BOTH double erfinv(double p) {
  if (!(fabs(p) < 0.5))
    return p < 0 ? -sinter_hip_erfc_inverse(1 + p) : sinter_hip_erfc_inverse(1 - p);
  double x = p * 0.88622692545275801365;
  for (int k = 0; k < 4; ++k) {
    const double error = (erf(x) - p) / (1.12837916709551257390 * exp(-x * x));
    x -= error / (1 + x * error);
  }
  return x;
}
// The argument is rounded, which its derivative makes good for.
SINTER_HIP_BOTH double normcdf(double x) {
  const double t = -x * 0.70710678118654752440;
  const double rest = fma(-x, 0.70710678118654752440, -t) + x * 4.8336466567264567e-17;
  return 0.5 * (erfc(t) - 1.12837916709551257390 * exp(-t * t) * rest);
}
SINTER_HIP_BOTH double normcdfinv(double p) { return -1.41421356237309504880 * sinter_hip_erfc_inverse(2 * p); }

SINTER_HIP_BOTH float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
SINTER_HIP_BOTH float erfcinvf(float x) { return static_cast<float>(erfcinv(static_cast<double>(x))); }
SINTER_HIP_BOTH float erfinvf(float x) { return static_cast<float>(erfinv(static_cast<double>(x))); }
SINTER_HIP_BOTH float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
SINTER_HIP_BOTH float normcdfinvf(float x) { return static_cast<float>(normcdfinv(static_cast<double>(x))); }

#endif
