// Functions of libclc, some with corrected special values.
#include "library.hpp"

FROM_CLC1(4, acos)
FROM_CLC1(5, acosh)
FROM_CLC1(6, acospi)
FROM_CLC1(4, asin)
FROM_CLC1(5, asinh)
FROM_CLC1(6, asinpi)
ODD_FROM_CLC1(4, atan)
FROM_CLC1(5, atanh)
FROM_CLC1(6, atanpi)
FROM_CLC1(4, cbrt)
FROM_CLC1(3, cos)
ODD_FROM_CLC1(3, erf)
FROM_CLC1(3, exp)
FROM_CLC1(4, exp2)
FROM_CLC1(5, exp10)
ODD_FROM_CLC1(5, expm1)
FROM_CLC1(3, log)
FROM_CLC1(5, log10)
FROM_CLC1(5, log1p)
FROM_CLC1(4, log2)
FROM_CLC1(4, logb)
ODD_FROM_CLC1(3, sin)
ODD_FROM_CLC1(3, tan)
FROM_CLC1(4, tanh)
FROM_CLC2(5, atan2)
FROM_CLC2(7, atan2pi)
FROM_CLC2(4, fdim)
FROM_CLC2(5, hypot)
FROM_CLC2(6, maxmag)
FROM_CLC2(6, minmag)
FROM_CLC2(3, pow)
FROM_CLC2(4, powr)
FROM_CLC_WHOLE(4, pown)
FROM_CLC_WHOLE(5, rootn)

CLC1(4, cosh)
CLC1(5, cospi)
CLC1(4, erfc)
CLC1(6, lgamma)
CLC1(4, sinh)
CLC1(5, sinpi)
CLC2(4, fmod)
CLC2(9, nextafter)
CLC2(9, remainder)

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

// Next to the smallest negative number libclc has a zero without its sign.
template <class T> static T nextafter(T x, T y) {
  T next = clc::nextafter(x, y);
  return next == 0 && x != 0 ? T(__builtin_copysign(next, x)) : next;
}

template <class T> static T rsqrt(T x) { return 1 / (sizeof(T) == 4 ? (T)__builtin_sqrtf(x) : (T)__builtin_sqrt(x)); }

LIBRARY1(cosh, cosh)
LIBRARY1(cospi, cospi)
LIBRARY1(erfc, erfc)
LIBRARY1(lgamma, lgamma)
LIBRARY1(rsqrt, rsqrt)
LIBRARY1(sinh, sinh)
LIBRARY1(sinpi, sinpi)
LIBRARY2(fmod, fmod)
LIBRARY2(nextafter, nextafter)
LIBRARY2(remainder, remainder)
