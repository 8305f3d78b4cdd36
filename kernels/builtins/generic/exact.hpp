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

#define EXACT3(NAME)                                                                                                   \
  inline f32 NAME(f32 x, f32 y, f32 z) { return __builtin_##NAME##f(x, y, z); }                                        \
  inline f64 NAME(f64 x, f64 y, f64 z) { return __builtin_##NAME(x, y, z); }

EXACT_UNARY(EXACT1)
EXACT_BINARY(EXACT2)
EXACT_TERNARY(EXACT3)

#undef EXACT1
#undef EXACT2
#undef EXACT3

} // namespace math
