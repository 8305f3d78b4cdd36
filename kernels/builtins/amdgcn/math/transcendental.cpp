// Functions of libclc, some with corrected special values, or of the code generator.
#include "libclc.hpp"

FROM_CLC1(4, acos)
FROM_CLC1(5, acosh)
FROM_CLC1(4, asin)
FROM_CLC1(5, asinh)
ODD_FROM_CLC1(4, atan)
FROM_CLC1(5, atanh)
FROM_CLC1(4, cbrt)
FROM_CLC1(3, cos)
ODD_FROM_CLC1(3, erf)
ODD_FROM_CLC1(5, expm1)
FROM_CLC1(5, log1p)
FROM_CLC1(4, logb)
ODD_FROM_CLC1(3, sin)
ODD_FROM_CLC1(3, tan)
FROM_CLC1(4, tanh)
FROM_CLC2(5, atan2)
FROM_CLC2(5, hypot)
FROM_CLC2(3, pow)

CLC1(4, cosh)
CLC1(5, cospi)
CLC1(4, erfc)
CLC1(3, exp)
CLC1(4, exp2)
CLC1(5, exp10)
CLC2(4, fmod)
CLC2(9, remainder)
CLC1(6, lgamma)
CLC1(3, log)
CLC1(5, log10)
CLC1(4, log2)
CLC2(9, nextafter)
CLC1(4, sinh)
CLC1(5, sinpi)

// For NaN, libclc's functions read their tables out of bounds.
template <class T> static T cosh(T x) { return x != x ? x : clc::cosh(x); }
template <class T> static T sinh(T x) { return x != x ? x : clc::sinh(x); }

// At integers the sine is a zero with the sign of x; half-way between them the cosine is a positive
// zero.
template <class T> static T sinpi(T x) {
  T wave = clc::sinpi(x);
  return wave == 0 ? __builtin_copysign(T(0), x) : wave;
}
template <class T> static T cospi(T x) { return clc::cospi(x) + T(0); }

// LLVM's f32 lowering keeps OpenCL's bounds.
#define GENERATED(NAME)                                                                                                \
  static f32 NAME(f32 x) { return __builtin_##NAME##f(x); }                                                            \
  static f64 NAME(f64 x) { return clc::NAME(x); }

GENERATED(exp)
GENERATED(exp10)
GENERATED(exp2)
GENERATED(log)
GENERATED(log10)
GENERATED(log2)

// libclc's f32 functions flush subnormal numbers, unlike its f64 functions.
static f32 fmod(f32 x, f32 y) { return (f32)clc::fmod((f64)x, (f64)y); }
static f64 fmod(f64 x, f64 y) { return clc::fmod(x, y); }
static f32 remainder(f32 x, f32 y) { return (f32)clc::remainder((f64)x, (f64)y); }
static f64 remainder(f64 x, f64 y) { return clc::remainder(x, y); }
// libclc's f32 functions are inaccurate for some arguments: erfc is off by 62 units in the last
// place, lgamma has no correct digit.
static f32 lgamma(f32 x) { return (f32)clc::lgamma((f64)x); }
static f64 lgamma(f64 x) { return clc::lgamma(x); }
static f32 erfc(f32 x) { return (f32)clc::erfc((f64)x); }
static f64 erfc(f64 x) { return clc::erfc(x); }

LIBRARY1(cosh, cosh)
LIBRARY1(cospi, cospi)
LIBRARY1(erfc, erfc)
LIBRARY1(exp, exp)
LIBRARY1(exp10, exp10)
LIBRARY1(exp2, exp2)
LIBRARY1(log, log)
LIBRARY1(log10, log10)
LIBRARY1(log2, log2)
LIBRARY2(fmod, fmod)
LIBRARY2(remainder, remainder)
LIBRARY1(lgamma, lgamma)
LIBRARY1(sinh, sinh)
LIBRARY1(sinpi, sinpi)

// Must be computed in its own type: the next value of a wider type is another one. Next to the
// smallest negative number libclc has a zero without its sign.
namespace clc {
f16 nextafter(f16, f16) asm("_Z9nextafterDhDh");
}
template <class T> static T nextafter(T x, T y) {
  T next = clc::nextafter(x, y);
  return next == 0 && x != 0 ? T(__builtin_copysign(next, x)) : next;
}
extern "C" f16 __ocml_nextafter_f16(f16 x, f16 y) { return nextafter(x, y); }
extern "C" f32 __ocml_nextafter_f32(f32 x, f32 y) { return nextafter(x, y); }
extern "C" f64 __ocml_nextafter_f64(f64 x, f64 y) { return nextafter(x, y); }

// The instruction flushes subnormal numbers.
static f32 rsqrt(f32 x) {
  bool is_small = x < 0x1p-100f;
  f32 root = __builtin_amdgcn_rsqf(is_small ? x * 0x1p24f : x);
  return is_small ? root * 0x1p12f : root;
}
static f64 rsqrt(f64 x) { return 1 / __builtin_sqrt(x); }
LIBRARY1(rsqrt, rsqrt)
