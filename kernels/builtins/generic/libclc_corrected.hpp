// Functions of libclc with corrected special values, subnormal numbers or errors.
#pragma once
#include "libclc.hpp"

CLC1(4, cosh)
CLC1(5, cospi)
CLC1(4, erfc)
CLC2(4, fmod)
CLC1(6, lgamma)
CLC2(9, nextafter)
CLC2(9, remainder)
CLC1(4, sinh)
CLC1(5, sinpi)

// For NaN, libclc's functions read their tables out of bounds.
template <class T> static T cosh(T x) { return x != x ? x : clc::cosh(x); }
template <class T> static T sinh(T x) { return x != x ? x : clc::sinh(x); }

// At integers the sine is a zero with the sign of x; half-way between them the cosine is a positive
// zero. A sum with zero would not do: Mesa 22.3.6 drops it.
template <class T> static T sinpi(T x) {
  T wave = clc::sinpi(x);
  return wave == 0 ? __builtin_copysign(T(0), x) : wave;
}
template <class T> static T cospi(T x) {
  T wave = clc::cospi(x);
  return wave == 0 ? T(__builtin_fabs(wave)) : wave;
}

// Next to the smallest negative number libclc has a zero without its sign.
template <class T> static T nextafter(T x, T y) {
  T next = clc::nextafter(x, y);
  return next == 0 && x != 0 ? T(__builtin_copysign(next, x)) : next;
}

// libclc's f32 functions flush subnormal numbers, unlike its f64 functions.
template <class T> static T fmod(T x, T y) { return (T)clc::fmod((f64)x, (f64)y); }
template <class T> static T remainder(T x, T y) { return (T)clc::remainder((f64)x, (f64)y); }
// libclc's f32 functions are inaccurate for some arguments: erfc is off by 62 units in the last
// place, lgamma has no correct digit.
template <class T> static T lgamma(T x) { return (T)clc::lgamma((f64)x); }
template <class T> static T erfc(T x) { return (T)clc::erfc((f64)x); }
