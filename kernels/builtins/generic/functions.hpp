// The math functions of a target, each a function of the namespace math. To be included behind what defines those: the
// elementary.hpp of its folder, and the powers.
#pragma once
#include "math.hpp"

#define UNARY(NAME)                                                                                                    \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x) { return math::NAME(x); }                                           \
  SSCP_BUILTIN f64 __acpp_sscp_##NAME##_f64(f64 x) { return math::NAME(x); }
#define BINARY(NAME)                                                                                                   \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x, f32 y) { return math::NAME(x, y); }                                 \
  SSCP_BUILTIN f64 __acpp_sscp_##NAME##_f64(f64 x, f64 y) { return math::NAME(x, y); }
#define TERNARY(NAME)                                                                                                  \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x, f32 y, f32 z) { return math::NAME(x, y, z); }                       \
  SSCP_BUILTIN f64 __acpp_sscp_##NAME##_f64(f64 x, f64 y, f64 z) { return math::NAME(x, y, z); }
#define WHOLE(NAME)                                                                                                    \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x, i32 n) { return math::NAME(x, n); }                                 \
  SSCP_BUILTIN f64 __acpp_sscp_##NAME##_f64(f64 x, i32 n) { return math::NAME(x, n); }
#define EXPONENT(NAME)                                                                                                 \
  SSCP_BUILTIN i32 __acpp_sscp_##NAME##_f32(f32 x) { return math::NAME(x); }                                           \
  SSCP_BUILTIN i32 __acpp_sscp_##NAME##_f64(f64 x) { return math::NAME(x); }
#define SPLIT(NAME)                                                                                                    \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x, f32 *other) { return math::NAME(x, other); }                        \
  SSCP_BUILTIN f64 __acpp_sscp_##NAME##_f64(f64 x, f64 *other) { return math::NAME(x, other); }
#define COUNT(NAME)                                                                                                    \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x, i32 *other) { return math::NAME(x, other); }                        \
  SSCP_BUILTIN f64 __acpp_sscp_##NAME##_f64(f64 x, i32 *other) { return math::NAME(x, other); }

MATH_UNARY(UNARY)
MATH_BINARY(BINARY)
MATH_TERNARY(TERNARY)
MATH_WHOLE(WHOLE)
MATH_EXPONENT(EXPONENT)
MATH_SPLIT(SPLIT)
MATH_COUNT(COUNT)
