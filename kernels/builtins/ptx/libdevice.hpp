// Functions of NVIDIA's device library that the builtins call, under its names and with its types. Where that library
// is not found, its place is taken by the one made of math/*.cpp.
#pragma once
#include "../generic/types.hpp"

#define DECLARE1(NAME)                                                                                                 \
  extern "C" f32 __nv_##NAME##f(f32);                                                                                  \
  extern "C" f64 __nv_##NAME(f64);
#define DECLARE2(NAME)                                                                                                 \
  extern "C" f32 __nv_##NAME##f(f32, f32);                                                                             \
  extern "C" f64 __nv_##NAME(f64, f64);

VENDOR_UNARY(DECLARE1)
VENDOR_BINARY(DECLARE2)

extern "C" f32 __nv_frexpf(f32, i32 *);
extern "C" f64 __nv_frexp(f64, i32 *);
extern "C" i32 __nv_ilogbf(f32);
extern "C" i32 __nv_ilogb(f64);
extern "C" f32 __nv_ldexpf(f32, i32);
extern "C" f64 __nv_ldexp(f64, i32);

#undef DECLARE1
#undef DECLARE2
