// Made of kernels/builtins/table/builtins.txt.
//
// X(name, bound, interval from which most of the arguments are); there is no bound for NATIVE.
#ifndef GPU_ULP_FUNCTIONS_HPP
#define GPU_ULP_FUNCTIONS_HPP

#define ULP_UNARY(X) \
  X(acos, 4, -1, 1) X(acosh, 4, 1, 100) X(acospi, 5, -1, 1) X(asin, 4, -1, 1) X(asinh, 4, -100, 100) \
  X(asinpi, 5, -1, 1) X(atan, 5, -10, 10) X(atanh, 5, -1, 1) X(atanpi, 5, -10, 10) X(cbrt, 2, -1000, 1000) \
  X(ceil, 0, -100, 100) X(cos, 4, -100, 100) X(cosh, 4, -100, 100) X(cospi, 4, -100, 100) X(erf, 16, -6, 6) \
  X(erfc, 16, -6, 27) X(exp, 3, -100, 100) X(exp10, 3, -40, 40) X(exp2, 3, -130, 130) X(expm1, 3, -100, 100) \
  X(fabs, 0, -1, 1) X(floor, 0, -100, 100) X(lgamma, no_bound, -10, 100) X(log, 3, 0, 10) X(log10, 3, 0, 10) \
  X(log1p, 2, -1, 10) X(log2, 3, 0, 10) X(logb, 0, -10, 10) X(rint, 0, -100, 100) X(round, 0, -100, 100) \
  X(rsqrt, 2, 0, 100) X(sin, 4, -100, 100) X(sinh, 4, -100, 100) X(sinpi, 4, -100, 100) X(sqrt, 0, 0, 100) \
  X(tan, 5, -100, 100) X(tanh, 5, -10, 10) X(tgamma, 16, -40, 40) X(trunc, 0, -100, 100)
#define ULP_BINARY(X) \
  X(atan2, 6, -10, 10) X(atan2pi, 6, -10, 10) X(copysign, 0, -10, 10) X(fdim, 0, -10, 10) X(fmax, 0, -10, 10) \
  X(fmin, 0, -10, 10) X(fmod, 0, -100, 100) X(hypot, 4, -100, 100) X(maxmag, 0, -10, 10) X(minmag, 0, -10, 10) \
  X(nextafter, 0, -10, 10) X(pow, 16, 0, 30) X(powr, 16, 0, 30) X(remainder, 0, -100, 100)
#define ULP_WHOLE(X) \
  X(ldexp, 0, -10, 10) X(pown, 16, -10, 10) X(rootn, 16, -100, 100)
#define ULP_NATIVE(X) \
  X(cos, -3, 3) X(sin, -3, 3) X(tan, -1.5, 1.5) X(exp, -10, 10) X(exp2, -10, 10) X(exp10, -10, 10) X(log, 0.1, 10) \
  X(log2, 0.1, 10) X(log10, 0.1, 10) X(rsqrt, 0.1, 100) X(sqrt, 0.1, 100)

#endif
