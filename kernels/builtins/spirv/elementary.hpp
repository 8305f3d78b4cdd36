// Elementary functions of SPIR-V devices: LLVM's intrinsic if it is exact, else the OpenCL.std
// instruction, which is as accurate as OpenCL requires. Functions with a second result and those on
// exponents are arithmetic: they need no pointer, and have the special values of the C library.
#pragma once
#include "../generic/exponent.hpp"
#include "instructions.hpp"

// Not templates: they precede those of the generic headers.
namespace math {

#define ELEMENTARY1(NAME)                                                                                              \
  f32 NAME(f32) SPIRV_OCL(NAME, "f32");                                                                                \
  f64 NAME(f64) SPIRV_OCL(NAME, "f64");
#define ELEMENTARY2(NAME)                                                                                              \
  f32 NAME(f32, f32) SPIRV_OCL(NAME, "f32");                                                                           \
  f64 NAME(f64, f64) SPIRV_OCL(NAME, "f64");
#define ELEMENTARY3(NAME)                                                                                              \
  f32 NAME(f32, i32) SPIRV_OCL(NAME, "f32");                                                                           \
  f64 NAME(f64, i32) SPIRV_OCL(NAME, "f64");

VENDOR_UNARY(ELEMENTARY1)
VENDOR_BINARY(ELEMENTARY2)
OPENCL_UNARY(ELEMENTARY1)
OPENCL_BINARY(ELEMENTARY2)
OPENCL_WHOLE(ELEMENTARY3)

#undef ELEMENTARY1
#undef ELEMENTARY2
#undef ELEMENTARY3

} // namespace math
