// Math functions. What LLVM has an intrinsic for becomes that intrinsic, so that it can be folded and vectorised; what
// it recognises by name becomes a call of libm; the rest is a few lines of arithmetic on those.
#include "elementary.hpp"

#include "../generic/half_turns.hpp"
#include "../generic/wide_powers.hpp"

#define UNARY(NAME, F32, F64)                                                                                          \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x) { return F32(x); }                                                   \
  SSCP_BUILTIN f64 __acpp_sscp_##NAME##_f64(f64 x) { return F64(x); }
#define BINARY(NAME, F32, F64)                                                                                         \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x, f32 y) { return F32(x, y); }                                         \
  SSCP_BUILTIN f64 __acpp_sscp_##NAME##_f64(f64 x, f64 y) { return F64(x, y); }
#define LIBM1(NAME) UNARY(NAME, __builtin_##NAME##f, __builtin_##NAME)
#define LIBM2(NAME) BINARY(NAME, __builtin_##NAME##f, __builtin_##NAME)
#define OURS1(NAME) UNARY(NAME, math::NAME, math::NAME)
#define OURS2(NAME) BINARY(NAME, math::NAME, math::NAME)

LIBM1(acos)
LIBM1(acosh)
OURS1(acospi)
LIBM1(asin)
LIBM1(asinh)
OURS1(asinpi)
LIBM1(atan)
LIBM2(atan2)
LIBM1(atanh)
OURS1(atanpi)
OURS2(atan2pi)
SSCP_BUILTIN f32 __acpp_sscp_cbrt_f32(f32 x) { return __builtin_cbrtf(x); }
// glibc's is off by up to 4 units in the last place. One step of Newton's method leaves about one; small numbers are
// scaled by a cube, so that no digits are lost.
SSCP_BUILTIN f64 __acpp_sscp_cbrt_f64(f64 x) {
  bool is_small = __builtin_fabs(x) < 0x1p-900;
  f64 scaled = is_small ? x * 0x1p600 : x;
  f64 root = __builtin_cbrt(scaled), square = root * root;
  f64 step = (scaled - square * root) / (3 * square);
  f64 result = __builtin_isfinite(step) ? root + step : root;
  return is_small ? result * 0x1p-200 : result;
}
LIBM1(ceil)
LIBM2(copysign)
LIBM1(cos)
LIBM1(cosh)
OURS1(cospi)
LIBM1(erfc)
LIBM1(erf)
LIBM1(exp)
LIBM1(exp2)
LIBM1(exp10)
LIBM1(expm1)
LIBM1(fabs)
OURS2(fdim)
LIBM1(floor)
LIBM2(fmax)
LIBM2(fmin)
LIBM2(fmod)
LIBM2(hypot)
LIBM1(log)
LIBM1(log2)
LIBM1(log10)
LIBM1(log1p)
LIBM1(logb)
OURS2(maxmag)
OURS2(minmag)
LIBM2(nextafter)
LIBM2(pow)
OURS2(powr)
LIBM2(remainder)
LIBM1(rint)
LIBM1(round)
OURS1(rsqrt)
LIBM1(sin)
LIBM1(sinh)
OURS1(sinpi)
LIBM1(sqrt)
LIBM1(tan)
LIBM1(tanh)
LIBM1(tgamma)
LIBM1(trunc)

// Writes the sign to an argument: lgamma itself writes to a global.
extern "C" f32 lgammaf_r(f32, i32 *);
extern "C" f64 lgamma_r(f64, i32 *);

#define MIXED(T, SUFFIX)                                                                                               \
  SSCP_BUILTIN T __acpp_sscp_fma_##T(T x, T y, T z) { return __builtin_fma##SUFFIX(x, y, z); }                          \
  SSCP_BUILTIN T __acpp_sscp_mad_##T(T x, T y, T z) { return math::mad(x, y, z); }                                      \
  SSCP_BUILTIN T __acpp_sscp_fract_##T(T x, T *whole) { return math::fract(x, whole); }                                 \
  SSCP_BUILTIN T __acpp_sscp_modf_##T(T x, T *whole) { return math::modf(x, whole); }                                   \
  SSCP_BUILTIN T __acpp_sscp_frexp_##T(T x, i32 *exponent) { return __builtin_frexp##SUFFIX(x, exponent); }             \
  SSCP_BUILTIN i32 __acpp_sscp_ilogb_##T(T x) { return __builtin_ilogb##SUFFIX(x); }                                    \
  SSCP_BUILTIN T __acpp_sscp_ldexp_##T(T x, i32 exponent) { return __builtin_ldexp##SUFFIX(x, exponent); }              \
  SSCP_BUILTIN T __acpp_sscp_lgamma_##T(T x) {                                                                          \
    i32 sign;                                                                                                          \
    return lgamma##SUFFIX##_r(x, &sign);                                                                                \
  }                                                                                                                    \
  SSCP_BUILTIN T __acpp_sscp_lgamma_r_##T(T x, i32 *sign) { return lgamma##SUFFIX##_r(x, sign); }                       \
  SSCP_BUILTIN T __acpp_sscp_pown_##T(T x, i32 n) { return math::pown(x, n); }                                          \
  SSCP_BUILTIN T __acpp_sscp_rootn_##T(T x, i32 n) { return math::rootn(x, n); }

MIXED(f32, f)
MIXED(f64, )
