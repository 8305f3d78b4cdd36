// Elementary functions of PTX: an instruction where one is exact, else libdevice's function.
#pragma once
#include "../generic/exact.hpp"
#include "libdevice.hpp"

namespace math {

#define ELEMENTARY1(NAME)                                                                                              \
  inline f32 NAME(f32 x) { return __nv_##NAME##f(x); }                                                                 \
  inline f64 NAME(f64 x) { return __nv_##NAME(x); }
#define ELEMENTARY2(NAME)                                                                                              \
  inline f32 NAME(f32 x, f32 y) { return __nv_##NAME##f(x, y); }                                                       \
  inline f64 NAME(f64 x, f64 y) { return __nv_##NAME(x, y); }

VENDOR_UNARY(ELEMENTARY1)
VENDOR_BINARY(ELEMENTARY2)

#undef ELEMENTARY1
#undef ELEMENTARY2

inline f32 frexp(f32 x, i32 *exponent) { return __nv_frexpf(x, exponent); }
inline f64 frexp(f64 x, i32 *exponent) { return __nv_frexp(x, exponent); }
inline i32 ilogb(f32 x) { return __nv_ilogbf(x); }
inline i32 ilogb(f64 x) { return __nv_ilogb(x); }
inline f32 ldexp(f32 x, i32 exponent) { return __nv_ldexpf(x, exponent); }
inline f64 ldexp(f64 x, i32 exponent) { return __nv_ldexp(x, exponent); }

} // namespace math
