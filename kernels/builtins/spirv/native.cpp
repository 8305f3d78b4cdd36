// Functions of implementation-defined precision: OpenCL's for f32. It has none for f64.
#include "elementary.hpp"

#define NATIVE1(NAME)                                                                                                  \
  namespace math {                                                                                                     \
  f32 NAME(f32) SPIRV_OCL(NAME, "f32");                                                                                \
  }                                                                                                                    \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x) { return math::NAME(x); }
#define NATIVE2(NAME)                                                                                                  \
  namespace math {                                                                                                     \
  f32 NAME(f32, f32) SPIRV_OCL(NAME, "f32");                                                                           \
  }                                                                                                                    \
  SSCP_BUILTIN f32 __acpp_sscp_##NAME##_f32(f32 x, f32 y) { return math::NAME(x, y); }

NATIVE_UNARY(NATIVE1)
NATIVE_BINARY(NATIVE2)

#include "../generic/native_wide.hpp"
