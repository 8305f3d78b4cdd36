// Made of kernels/builtins/table/builtins.txt.
#ifndef SYCL_DETAIL_FUNCTION_LISTS_HPP
#define SYCL_DETAIL_FUNCTION_LISTS_HPP

// Functions of the C library, which stage 1 turns into intrinsics and builtins.
#define SINTER_C_LIBRARY_UNARY(X) \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp10) X(exp2) \
  X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb) X(rint) X(round) X(sin) X(sinh) \
  X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define SINTER_C_LIBRARY_BINARY(X) \
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)
#define SINTER_C_LIBRARY_TERNARY(X) \
  X(fma)
#define SINTER_C_LIBRARY_WHOLE(X) \
  X(ldexp)
#define SINTER_C_LIBRARY_EXPONENT(X) \
  X(ilogb)

// Builtins that device code calls; what host code calls is in host_math.hpp.
#define SINTER_BUILTIN_UNARY(X) \
  X(acospi) X(asinpi) X(atanpi) X(cbrt) X(cospi) X(rsqrt) X(sinpi)
#define SINTER_BUILTIN_BINARY(X) \
  X(atan2pi) X(maxmag) X(minmag) X(powr)
#define SINTER_BUILTIN_TERNARY(X) \
  X(mad)
#define SINTER_BUILTIN_WHOLE(X) \
  X(pown) X(rootn)
#define SINTER_BUILTIN_SPLIT(X) \
  X(fract) X(modf)
#define SINTER_BUILTIN_COUNT(X) \
  X(frexp) X(lgamma_r)

// Tests on numbers.
#define SINTER_CLASS_EXPONENT(X) \
  X(isnan) X(isinf) X(isfinite) X(isnormal) X(signbit)

// Functions of native, and those of half_precision that are the same or not.
#define SINTER_NATIVE_UNARY(X) \
  X(cos) X(sin) X(tan) X(exp) X(exp2) X(exp10) X(log) X(log2) X(log10) X(recip) X(rsqrt) X(sqrt)
#define SINTER_NATIVE_BINARY(X) \
  X(divide) X(powr)
#define SINTER_HALF_NATIVE(X) \
  X(exp) X(exp2) X(exp10) X(recip) X(rsqrt) X(sqrt) X(divide)
#define SINTER_HALF_UNARY(X) \
  X(cos) X(sin) X(tan) X(log) X(log2) X(log10)
#define SINTER_HALF_BINARY(X) \
  X(powr)

// All functions on elements, by their types; SCALAR: the last argument may be one number.
#define SINTER_REAL_UNARY(X) \
  X(acos) X(acosh) X(acospi) X(asin) X(asinh) X(asinpi) X(atan) X(atanh) X(atanpi) X(cbrt) X(ceil) X(cos) X(cosh) \
  X(cospi) X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) \
  X(log2) X(logb) X(rint) X(round) X(rsqrt) X(sin) X(sinh) X(sinpi) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc) \
  X(tanpi) X(degrees) X(radians) X(sign)
#define SINTER_REAL_BINARY(X) \
  X(atan2) X(atan2pi) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(maxmag) X(minmag) X(nextafter) X(pow) \
  X(powr) X(remainder) X(step)
#define SINTER_REAL_TERNARY(X) \
  X(fma) X(mad) X(mix) X(smoothstep)
#define SINTER_REAL_WHOLE(X) \
  X(ldexp) X(pown) X(rootn)
#define SINTER_REAL_EXPONENT(X) \
  X(ilogb)
#define SINTER_REAL_COMPARISON(X)
#define SINTER_REAL_SPLIT(X) \
  X(fract) X(modf) X(sincos)
#define SINTER_REAL_COUNT(X) \
  X(frexp) X(lgamma_r)
#define SINTER_REAL_QUOTIENT(X) \
  X(remquo)
#define SINTER_REAL_SCALAR_BINARY(X) \
  X(fmax) X(fmin)
#define SINTER_REAL_SCALAR_WHOLE(X) \
  X(ldexp)
#define SINTER_INTEGER_UNARY(X) \
  X(clz) X(ctz) X(popcount)
#define SINTER_INTEGER_BINARY(X) \
  X(abs_diff) X(add_sat) X(hadd) X(mul_hi) X(rhadd) X(rotate) X(sub_sat) X(mul24)
#define SINTER_INTEGER_TERNARY(X) \
  X(mad_hi) X(mad_sat) X(mad24)
#define SINTER_NUMBER_UNARY(X) \
  X(abs)
#define SINTER_NUMBER_BINARY(X) \
  X(max) X(min)
#define SINTER_NUMBER_TERNARY(X) \
  X(bitselect) X(clamp)
#define SINTER_NUMBER_SCALAR_BINARY(X) \
  X(max) X(min)
#define SINTER_TEST_EXPONENT(X) \
  X(isnan) X(isinf) X(isfinite) X(isnormal) X(signbit)
#define SINTER_TEST_COMPARISON(X) \
  X(isequal) X(isgreater) X(isgreaterequal) X(isless) X(islessequal) X(islessgreater) X(isnotequal) X(isordered) \
  X(isunordered)

#endif
