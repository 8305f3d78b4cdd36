// Elementary functions with one right result, which LLVM has an intrinsic for on every target.
#pragma once
#include "types.hpp"

namespace math {

#define EXACT1(NAME)                                                                                                   \
  inline f32 NAME(f32 x) { return __builtin_##NAME##f(x); }                                                            \
  inline f64 NAME(f64 x) { return __builtin_##NAME(x); }
#define EXACT2(NAME)                                                                                                   \
  inline f32 NAME(f32 x, f32 y) { return __builtin_##NAME##f(x, y); }                                                  \
  inline f64 NAME(f64 x, f64 y) { return __builtin_##NAME(x, y); }

EXACT1(ceil)
EXACT1(fabs)
EXACT1(floor)
EXACT1(rint)
EXACT1(round)
EXACT1(sqrt)
EXACT1(trunc)
EXACT2(copysign)
EXACT2(fmax)
EXACT2(fmin)

inline f32 fma(f32 x, f32 y, f32 z) { return __builtin_fmaf(x, y, z); }
inline f64 fma(f64 x, f64 y, f64 z) { return __builtin_fma(x, y, z); }

#undef EXACT1
#undef EXACT2

} // namespace math
