// Functions of libclc, some with corrected special values. The most frequent functions have their
// own files, because libclc's are longer.
#include "libclc.hpp"

FROM_CLC1(4, acos)
FROM_CLC1(5, acosh)
FROM_CLC1(4, asin)
FROM_CLC1(5, asinh)
ODD_FROM_CLC1(4, atan)
FROM_CLC1(5, atanh)
FROM_CLC1(4, logb)
FROM_CLC2(5, atan2)
FROM_CLC2(5, hypot)

F64_FROM_CLC1(4, cbrt)
F64_FROM_CLC1(3, cos)
F64_ODD_FROM_CLC1(3, erf)
F64_FROM_CLC1(4, erfc)
F64_ODD_FROM_CLC1(5, expm1)
F64_FROM_CLC1(5, log1p)
F64_ODD_FROM_CLC1(3, sin)
F64_ODD_FROM_CLC1(3, tan)
F64_FROM_CLC1(4, tanh)
F64_FROM_CLC2(3, pow)

CLC1(4, cosh)
CLC1(5, cospi)
CLC2(4, fmod)
CLC2(9, remainder)
CLC1(6, lgamma)
CLC2(9, nextafter)
CLC1(4, sinh)
CLC1(5, sinpi)

// For NaN, libclc's functions read their tables out of bounds.
static f64 cosh(f64 x) { return x != x ? x : clc::cosh(x); }
static f64 sinh(f64 x) { return x != x ? x : clc::sinh(x); }

// At integers the sine is a zero with the sign of x; half-way between them the cosine is a positive
// zero.
template <class T> static T sinpi(T x) {
  T wave = clc::sinpi(x);
  return wave == 0 ? __builtin_copysign(T(0), x) : wave;
}
template <class T> static T cospi(T x) { return clc::cospi(x) + T(0); }

// Next to the smallest negative number libclc has a zero without its sign.
template <class T> static T nextafter(T x, T y) {
  T next = clc::nextafter(x, y);
  return next == 0 && x != 0 ? T(__builtin_copysign(next, x)) : next;
}

// libclc's f32 functions flush subnormal numbers, so these are computed in f64.
static f32 fmod(f32 x, f32 y) { return (f32)clc::fmod((f64)x, (f64)y); }
static f64 fmod(f64 x, f64 y) { return clc::fmod(x, y); }
static f32 remainder(f32 x, f32 y) { return (f32)clc::remainder((f64)x, (f64)y); }
static f64 remainder(f64 x, f64 y) { return clc::remainder(x, y); }
// libclc's f32 function is inaccurate for all arguments.
static f32 lgamma(f32 x) { return (f32)clc::lgamma((f64)x); }
static f64 lgamma(f64 x) { return clc::lgamma(x); }

LIBRARY1_F64(cosh, cosh)
LIBRARY1_F64(sinh, sinh)
LIBRARY1(cospi, cospi)
LIBRARY1(lgamma, lgamma)
LIBRARY1(sinpi, sinpi)
LIBRARY2(fmod, fmod)
LIBRARY2(nextafter, nextafter)
LIBRARY2(remainder, remainder)
