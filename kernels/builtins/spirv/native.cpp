// Functions of implementation-defined precision: OpenCL's for f32. It has none for f64.
#include "elementary.hpp"

#define NATIVE1(NAME)                                                                                                  \
  namespace math {                                                                                                     \
  f32 native_##NAME(f32) SPIRV_OCL(native_##NAME, "f32");                                                              \
  }                                                                                                                    \
  SSCP_BUILTIN f32 __acpp_sscp_native_##NAME##_f32(f32 x) { return math::native_##NAME(x); }
#define NATIVE2(NAME)                                                                                                  \
  namespace math {                                                                                                     \
  f32 native_##NAME(f32, f32) SPIRV_OCL(native_##NAME, "f32");                                                         \
  }                                                                                                                    \
  SSCP_BUILTIN f32 __acpp_sscp_native_##NAME##_f32(f32 x, f32 y) { return math::native_##NAME(x, y); }

NATIVE1(cos)
NATIVE1(sin)
NATIVE1(tan)
NATIVE1(exp)
NATIVE1(exp2)
NATIVE1(exp10)
NATIVE1(log)
NATIVE1(log2)
NATIVE1(log10)
NATIVE1(recip)
NATIVE1(rsqrt)
NATIVE1(sqrt)
NATIVE2(divide)
NATIVE2(powr)

#include "../generic/native_wide.hpp"
