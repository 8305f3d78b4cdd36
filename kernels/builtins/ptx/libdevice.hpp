// Functions of NVIDIA's device library that the builtins call, under its names and with its types. Where that library
// is not found, its place is taken by the one made of math/*.cpp.
#pragma once
#include "../generic/types.hpp"

#define LIBDEVICE1(M)                                                                                                  \
  M(acos) M(acosh) M(asin) M(asinh) M(atan) M(atanh) M(cbrt) M(cos) M(cosh) M(cospi) M(erf) M(erfc) M(exp) M(exp10)     \
  M(exp2) M(expm1) M(lgamma) M(log) M(log10) M(log1p) M(log2) M(logb) M(rsqrt) M(sin) M(sinh) M(sinpi) M(tan) M(tanh)   \
  M(tgamma)
#define LIBDEVICE2(M) M(atan2) M(fmod) M(hypot) M(nextafter) M(pow) M(remainder)

#define DECLARE1(NAME)                                                                                                 \
  extern "C" f32 __nv_##NAME##f(f32);                                                                                  \
  extern "C" f64 __nv_##NAME(f64);
#define DECLARE2(NAME)                                                                                                 \
  extern "C" f32 __nv_##NAME##f(f32, f32);                                                                             \
  extern "C" f64 __nv_##NAME(f64, f64);

LIBDEVICE1(DECLARE1)
LIBDEVICE2(DECLARE2)

extern "C" f32 __nv_frexpf(f32, i32 *);
extern "C" f64 __nv_frexp(f64, i32 *);
extern "C" i32 __nv_ilogbf(f32);
extern "C" i32 __nv_ilogb(f64);
extern "C" f32 __nv_ldexpf(f32, i32);
extern "C" f64 __nv_ldexp(f64, i32);

#undef DECLARE1
#undef DECLARE2
