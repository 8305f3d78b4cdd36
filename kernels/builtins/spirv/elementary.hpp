// Elementary functions of devices that take SPIR-V: LLVM's intrinsic where one is exact, else the instruction of
// OpenCL's set, whose results are as accurate as OpenCL asks of the device. Functions with a second result and those
// on exponents are arithmetic: they need no pointer, and special values are those of the C library.
#pragma once
#include "../generic/exponent.hpp"
#include "instructions.hpp"

// Not templates: they come before those of the generic headers.
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
