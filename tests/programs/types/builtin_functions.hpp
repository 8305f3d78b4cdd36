// Made of kernels/builtins/table/builtins.txt.
//
// The functions of section 4.17 of the standard that are defined element by element, by the form of
// their arguments.
#ifndef PROGRAMS_TYPES_BUILTIN_FUNCTIONS_HPP
#define PROGRAMS_TYPES_BUILTIN_FUNCTIONS_HPP

#define MATH_1(X) \
  X(acos) X(acosh) X(acospi) X(asin) X(asinh) X(asinpi) X(atan) X(atanh) X(atanpi) X(cbrt) X(ceil) X(cos) X(cosh) \
  X(cospi) X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) \
  X(log2) X(logb) X(rint) X(round) X(rsqrt) X(sin) X(sinh) X(sinpi) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc) \
  X(tanpi) X(degrees) X(radians) X(sign) X(abs)
#define MATH_2(X) \
  X(atan2) X(atan2pi) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(maxmag) X(minmag) X(nextafter) X(pow) \
  X(powr) X(remainder) X(step) X(max) X(min)
#define MATH_3(X) \
  X(fma) X(mad) X(mix) X(smoothstep) X(bitselect) X(clamp)
#define MATH_INTEGER(X) \
  X(ldexp) X(pown) X(rootn)
#define MATH_POINTER(X) \
  X(fract, T) X(frexp, std::int32_t) X(lgamma_r, std::int32_t) X(modf, T) X(sincos, T)
#define RELATIONAL_1(X) \
  X(isnan) X(isinf) X(isfinite) X(isnormal) X(signbit)
#define RELATIONAL_2(X) \
  X(isequal) X(isgreater) X(isgreaterequal) X(isless) X(islessequal) X(islessgreater) X(isnotequal) X(isordered) \
  X(isunordered)
#define FLOAT_1(X) \
  X(native, cos) X(native, sin) X(native, tan) X(native, exp) X(native, exp2) X(native, exp10) X(native, log) \
  X(native, log2) X(native, log10) X(native, recip) X(native, rsqrt) X(native, sqrt) X(half_precision, cos) \
  X(half_precision, sin) X(half_precision, tan) X(half_precision, exp) X(half_precision, exp2) \
  X(half_precision, exp10) X(half_precision, log) X(half_precision, log2) X(half_precision, log10) \
  X(half_precision, recip) X(half_precision, rsqrt) X(half_precision, sqrt)
#define FLOAT_2(X) \
  X(native, divide) X(native, powr) X(half_precision, divide) X(half_precision, powr)
#define INTEGER_1(X) \
  X(clz) X(ctz) X(popcount) X(abs)
#define INTEGER_2(X) \
  X(max) X(min) X(abs_diff) X(add_sat) X(hadd) X(mul_hi) X(rhadd) X(rotate) X(sub_sat)
#define INTEGER_3(X) \
  X(bitselect) X(clamp) X(mad_hi) X(mad_sat)

#endif
