// Elementary functions of AMD's GPUs: LLVM's intrinsic where its code generator has code that is good enough, else the
// function of AMD's device library (ocml). Where that library is not found, its place is taken by the one made of
// math/*.cpp.
#pragma once
#include "../generic/exact.hpp"

#define DECLARE1(NAME)                                                                                                 \
  extern "C" f32 __ocml_##NAME##_f32(f32);                                                                             \
  extern "C" f64 __ocml_##NAME##_f64(f64);
#define DECLARE2(NAME)                                                                                                 \
  extern "C" f32 __ocml_##NAME##_f32(f32, f32);                                                                        \
  extern "C" f64 __ocml_##NAME##_f64(f64, f64);

VENDOR_UNARY(DECLARE1)
VENDOR_BINARY(DECLARE2)

#undef DECLARE1
#undef DECLARE2

namespace math {

// Templates, so that what is defined behind them comes first.
#define ELEMENTARY1(NAME)                                                                                              \
  template <class T> inline T NAME(T x) {                                                                              \
    if constexpr (sizeof(T) == 4)                                                                                      \
      return __ocml_##NAME##_f32(x);                                                                                   \
    else                                                                                                               \
      return __ocml_##NAME##_f64(x);                                                                                   \
  }
#define ELEMENTARY2(NAME)                                                                                              \
  inline f32 NAME(f32 x, f32 y) { return __ocml_##NAME##_f32(x, y); }                                                  \
  inline f64 NAME(f64 x, f64 y) { return __ocml_##NAME##_f64(x, y); }

VENDOR_UNARY(ELEMENTARY1)
VENDOR_BINARY(ELEMENTARY2)

#undef ELEMENTARY1
#undef ELEMENTARY2

// The code generator's keep the bounds of OpenCL in f32: the instruction and the digits that it lacks.
#define GENERATED(NAME)                                                                                                \
  inline f32 NAME(f32 x) { return __builtin_##NAME##f(x); }

GENERATED(exp)
GENERATED(exp10)
GENERATED(exp2)
GENERATED(log)
GENERATED(log10)
GENERATED(log2)

#undef GENERATED

// The instructions know subnormal numbers.
inline f32 frexp(f32 x, i32 *exponent) { return __builtin_frexpf(x, exponent); }
inline f64 frexp(f64 x, i32 *exponent) { return __builtin_frexp(x, exponent); }
inline f32 ldexp(f32 x, i32 exponent) { return __builtin_ldexpf(x, exponent); }
inline f64 ldexp(f64 x, i32 exponent) { return __builtin_ldexp(x, exponent); }

// As the C library: the largest i32 for an infinity, the smallest for zero and for what is no number.
template <class T> inline i32 ilogb(T x) {
  constexpr i32 largest = 0x7fffffff;
  i32 exponent;
  frexp(x, &exponent);
  return x == 0 || x != x ? -largest - 1 : __builtin_isinf(x) ? largest : exponent - 1;
}

} // namespace math
