// Native (implementation-defined precision) functions of a GPU. To be included after its
// elementary.hpp and definitions of the f32 instructions sine, cosine, power_of_2, logarithm_to_2,
// reciprocal, root, reciprocal_root and quotient. The f64 functions are the ordinary ones.
#pragma once
#include "math.hpp"

constexpr f32 log2_e = 1.44269504088896340736f;
constexpr f32 log2_10 = 3.32192809488736234787f;
constexpr f32 ln_2 = 0.693147180559945309417f;
constexpr f32 log10_2 = 0.301029995663981195214f;

SSCP_BUILTIN f32 __acpp_sscp_native_cos_f32(f32 x) { return cosine(x); }
SSCP_BUILTIN f32 __acpp_sscp_native_sin_f32(f32 x) { return sine(x); }
SSCP_BUILTIN f32 __acpp_sscp_native_tan_f32(f32 x) { return quotient(sine(x), cosine(x)); }
SSCP_BUILTIN f32 __acpp_sscp_native_exp_f32(f32 x) { return power_of_2(x * log2_e); }
SSCP_BUILTIN f32 __acpp_sscp_native_exp2_f32(f32 x) { return power_of_2(x); }
SSCP_BUILTIN f32 __acpp_sscp_native_exp10_f32(f32 x) { return power_of_2(x * log2_10); }
SSCP_BUILTIN f32 __acpp_sscp_native_log_f32(f32 x) { return logarithm_to_2(x) * ln_2; }
SSCP_BUILTIN f32 __acpp_sscp_native_log2_f32(f32 x) { return logarithm_to_2(x); }
SSCP_BUILTIN f32 __acpp_sscp_native_log10_f32(f32 x) { return logarithm_to_2(x) * log10_2; }
SSCP_BUILTIN f32 __acpp_sscp_native_powr_f32(f32 x, f32 y) { return power_of_2(y * logarithm_to_2(x)); }
SSCP_BUILTIN f32 __acpp_sscp_native_recip_f32(f32 x) { return reciprocal(x); }
SSCP_BUILTIN f32 __acpp_sscp_native_sqrt_f32(f32 x) { return root(x); }
SSCP_BUILTIN f32 __acpp_sscp_native_rsqrt_f32(f32 x) { return reciprocal_root(x); }
SSCP_BUILTIN f32 __acpp_sscp_native_divide_f32(f32 x, f32 y) { return quotient(x, y); }

#include "native_wide.hpp"
