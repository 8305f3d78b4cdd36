// Native functions for f64: the ordinary ones. To be included after elementary.hpp.
#pragma once
#include "types.hpp"

#define ORDINARY(NAME)                                                                                                 \
  SSCP_BUILTIN f64 __acpp_sscp_native_##NAME##_f64(f64 x) { return math::NAME(x); }

ORDINARY(cos)
ORDINARY(sin)
ORDINARY(tan)
ORDINARY(exp)
ORDINARY(exp2)
ORDINARY(exp10)
ORDINARY(log)
ORDINARY(log2)
ORDINARY(log10)
ORDINARY(sqrt)
ORDINARY(rsqrt)
SSCP_BUILTIN f64 __acpp_sscp_native_powr_f64(f64 x, f64 y) { return math::pow(x, y); }
SSCP_BUILTIN f64 __acpp_sscp_native_recip_f64(f64 x) { return 1 / x; }
SSCP_BUILTIN f64 __acpp_sscp_native_divide_f64(f64 x, f64 y) { return x / y; }
