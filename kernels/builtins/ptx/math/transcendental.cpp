// Functions that are libclc's, some but for special values.
#include "libclc.hpp"

FROM_CLC1(4, acos)
FROM_CLC1(5, acosh)
FROM_CLC1(4, asin)
FROM_CLC1(5, asinh)
FROM_CLC1(4, atan)
FROM_CLC1(5, atanh)
FROM_CLC1(4, cbrt)
FROM_CLC1(3, cos)
FROM_CLC1(3, erf)
FROM_CLC1(5, exp10)
FROM_CLC1(5, expm1)
FROM_CLC1(3, log)
FROM_CLC1(5, log10)
FROM_CLC1(5, log1p)
FROM_CLC1(4, log2)
FROM_CLC1(4, logb)
FROM_CLC1(3, sin)
FROM_CLC1(3, tan)
FROM_CLC1(4, tanh)
FROM_CLC2(5, atan2)
FROM_CLC2(5, hypot)
FROM_CLC2(9, nextafter)
FROM_CLC2(3, pow)

CLC1(4, cosh)
CLC1(5, cospi)
CLC1(4, erfc)
CLC1(3, exp)
CLC1(4, exp2)
CLC2(4, fmod)
CLC2(9, remainder)
CLC1(6, lgamma)
CLC1(4, sinh)
CLC1(5, sinpi)

// libclc's read their tables anywhere for what is no number.
template <class T> static T cosh(T x) { return x != x ? x : clc::cosh(x); }
template <class T> static T sinh(T x) { return x != x ? x : clc::sinh(x); }

// At whole numbers the sine is a zero with the sign of x, half-way between them the cosine is a positive one.
template <class T> static T sinpi(T x) {
  T wave = clc::sinpi(x);
  return wave == 0 ? __builtin_copysign(T(0), x) : wave;
}
template <class T> static T cospi(T x) { return clc::cospi(x) + T(0); }

// libclc's f32 functions lose subnormal numbers: where the result is one, it is the square of one that is none, or f64
// computes it.
static f32 exp(f32 x) {
  f32 root = clc::exp(x < -80 ? x * 0.5f : x);
  return x < -80 ? root * root : root;
}
static f64 exp(f64 x) { return clc::exp(x); }
static f32 exp2(f32 x) {
  f32 root = clc::exp2(x < -120 ? x * 0.5f : x);
  return x < -120 ? root * root : root;
}
static f64 exp2(f64 x) { return clc::exp2(x); }
static f32 fmod(f32 x, f32 y) { return (f32)clc::fmod((f64)x, (f64)y); }
static f64 fmod(f64 x, f64 y) { return clc::fmod(x, y); }
static f32 remainder(f32 x, f32 y) { return (f32)clc::remainder((f64)x, (f64)y); }
static f64 remainder(f64 x, f64 y) { return clc::remainder(x, y); }
// libclc's f32 functions are far off for some arguments: erfc by 62 units in the last place, lgamma by all of them.
static f32 lgamma(f32 x) { return (f32)clc::lgamma((f64)x); }
static f64 lgamma(f64 x) { return clc::lgamma(x); }
static f32 erfc(f32 x) { return (f32)clc::erfc((f64)x); }
static f64 erfc(f64 x) { return clc::erfc(x); }

LIBRARY1(cosh, cosh)
LIBRARY1(cospi, cospi)
LIBRARY1(erfc, erfc)
LIBRARY1(exp, exp)
LIBRARY1(exp2, exp2)
LIBRARY2(fmod, fmod)
LIBRARY2(remainder, remainder)
LIBRARY1(lgamma, lgamma)
LIBRARY1(sinh, sinh)
LIBRARY1(sinpi, sinpi)
