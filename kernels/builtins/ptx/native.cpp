// Functions of implementation-defined precision: the approximating instructions for f32. There are none for f64, whose
// functions are the ordinary ones.
#include "elementary.hpp"

#include "../generic/math.hpp"

constexpr f32 log2_e = 1.44269504088896340736f;
constexpr f32 log2_10 = 3.32192809488736234787f;
constexpr f32 ln_2 = 0.693147180559945309417f;
constexpr f32 log10_2 = 0.301029995663981195214f;

#define APPROXIMATE1(NAME, INSTRUCTION)                                                                                \
  static inline f32 NAME(f32 x) {                                                                                      \
    f32 result;                                                                                                        \
    asm(INSTRUCTION " %0, %1;" : "=f"(result) : "f"(x));                                                               \
    return result;                                                                                                     \
  }
#define APPROXIMATE2(NAME, INSTRUCTION)                                                                                \
  static inline f32 NAME(f32 x, f32 y) {                                                                               \
    f32 result;                                                                                                        \
    asm(INSTRUCTION " %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));                                                   \
    return result;                                                                                                     \
  }

APPROXIMATE1(sine, "sin.approx.f32")
APPROXIMATE1(cosine, "cos.approx.f32")
APPROXIMATE1(power_of_2, "ex2.approx.f32")
APPROXIMATE1(logarithm_to_2, "lg2.approx.f32")
APPROXIMATE1(reciprocal, "rcp.approx.f32")
APPROXIMATE1(root, "sqrt.approx.f32")
APPROXIMATE1(reciprocal_root, "rsqrt.approx.f32")
APPROXIMATE2(quotient, "div.full.f32")

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
