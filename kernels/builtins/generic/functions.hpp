// The math functions of a GPU. To be included behind the elementary.hpp of its folder.
#pragma once
#include "library_names.hpp"
#include "narrow_powers.hpp"

#define UNARY(NAME)                                                                                                    \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x) { return math::NAME(x); }                                           \
  SSCP_BUILTIN f64 __acpp_sscp_##NAME##_f64(f64 x) { return math::NAME(x); }
#define BINARY(NAME)                                                                                                   \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x, f32 y) { return math::NAME(x, y); }                                 \
  SSCP_BUILTIN f64 __acpp_sscp_##NAME##_f64(f64 x, f64 y) { return math::NAME(x, y); }

LIBRARY_UNARY(UNARY)
LIBRARY_BINARY(BINARY)
UNARY(acospi)
UNARY(asinpi)
UNARY(atanpi)
BINARY(atan2pi)
UNARY(ceil)
BINARY(copysign)
UNARY(fabs)
BINARY(fdim)
UNARY(floor)
BINARY(fmax)
BINARY(fmin)
BINARY(maxmag)
BINARY(minmag)
BINARY(powr)
UNARY(rint)
UNARY(round)
UNARY(sqrt)
UNARY(trunc)

// The sign of the gamma function. It is that of 1/x at zero and 1 at the other poles.
template <class T> static i32 gamma_sign(T x) {
  bool odd = math::floor(x) != 2 * math::floor(x * T(0.5));
  bool negative = x == 0 ? __builtin_signbit(x) : x < 0 && odd && x != math::floor(x);
  return negative ? -1 : 1;
}

#define MIXED(T)                                                                                                       \
  SSCP_BUILTIN T __acpp_sscp_fma_##T(T x, T y, T z) { return math::fma(x, y, z); }                                     \
  SSCP_BUILTIN T __acpp_sscp_mad_##T(T x, T y, T z) { return math::mad(x, y, z); }                                     \
  SSCP_BUILTIN T __acpp_sscp_fract_##T(T x, T *whole) { return math::fract(x, whole); }                                \
  SSCP_BUILTIN T __acpp_sscp_modf_##T(T x, T *whole) { return math::modf(x, whole); }                                  \
  SSCP_BUILTIN T __acpp_sscp_frexp_##T(T x, i32 *exponent) { return math::frexp(x, exponent); }                        \
  SSCP_BUILTIN i32 __acpp_sscp_ilogb_##T(T x) { return math::ilogb(x); }                                               \
  SSCP_BUILTIN T __acpp_sscp_ldexp_##T(T x, i32 exponent) { return math::ldexp(x, exponent); }                         \
  SSCP_BUILTIN T __acpp_sscp_lgamma_r_##T(T x, i32 *sign) {                                                            \
    *sign = gamma_sign(x);                                                                                             \
    return math::lgamma(x);                                                                                            \
  }                                                                                                                    \
  SSCP_BUILTIN T __acpp_sscp_pown_##T(T x, i32 n) { return math::pown(x, n); }                                         \
  SSCP_BUILTIN T __acpp_sscp_rootn_##T(T x, i32 n) { return math::rootn(x, n); }

MIXED(f32)
MIXED(f64)
