// Functions that the libraries of the GPUs' vendors have for f32 and f64 under one name, of one and of two arguments of that
// type.
#pragma once

#define LIBRARY_UNARY(M)                                                                                               \
  M(acos) M(acosh) M(asin) M(asinh) M(atan) M(atanh) M(cbrt) M(cos) M(cosh) M(cospi) M(erf) M(erfc) M(exp) M(exp10)    \
  M(exp2) M(expm1) M(lgamma) M(log) M(log10) M(log1p) M(log2) M(logb) M(rsqrt) M(sin) M(sinh) M(sinpi) M(tan) M(tanh)  \
  M(tgamma)
#define LIBRARY_BINARY(M) M(atan2) M(fmod) M(hypot) M(nextafter) M(pow) M(remainder)
