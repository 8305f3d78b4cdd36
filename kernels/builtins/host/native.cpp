// Native (implementation-defined precision) functions: the same operations, compiled with fast-math
// flags (see the flags in build.rs).
#include "elementary.hpp"

#include "../generic/math.hpp"

#define UNARY(NAME)                                                                                                    \
  SSCP_BUILTIN f32 __acpp_sscp_native_##NAME##_f32(f32 x) { return __builtin_##NAME##f(x); }                            \
  SSCP_BUILTIN f64 __acpp_sscp_native_##NAME##_f64(f64 x) { return __builtin_##NAME(x); }

UNARY(cos)
UNARY(sin)
UNARY(tan)
UNARY(exp)
UNARY(exp2)
UNARY(exp10)
UNARY(log)
UNARY(log2)
UNARY(log10)
UNARY(sqrt)

#define ARITHMETIC(T)                                                                                                  \
  SSCP_BUILTIN T __acpp_sscp_native_divide_##T(T x, T y) { return x / y; }                                              \
  SSCP_BUILTIN T __acpp_sscp_native_recip_##T(T x) { return T(1) / x; }                                                 \
  SSCP_BUILTIN T __acpp_sscp_native_rsqrt_##T(T x) { return math::rsqrt(x); }                                           \
  SSCP_BUILTIN T __acpp_sscp_native_powr_##T(T x, T y) { return math::pow(x, y); }

ARITHMETIC(f32)
ARITHMETIC(f64)
