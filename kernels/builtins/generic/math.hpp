// Math functions that libm does not have, on top of those that LLVM recognises. Special values follow the OpenCL 3.0
// specification, section 7.5.1 (edge case behaviour), which SYCL 2020 refers to.
#pragma once
#include "types.hpp"

namespace math {

inline f32 fabs(f32 x) { return __builtin_fabsf(x); }
inline f64 fabs(f64 x) { return __builtin_fabs(x); }
inline f32 copysign(f32 x, f32 y) { return __builtin_copysignf(x, y); }
inline f64 copysign(f64 x, f64 y) { return __builtin_copysign(x, y); }
inline f32 trunc(f32 x) { return __builtin_truncf(x); }
inline f64 trunc(f64 x) { return __builtin_trunc(x); }
inline f32 floor(f32 x) { return __builtin_floorf(x); }
inline f64 floor(f64 x) { return __builtin_floor(x); }
inline f32 rint(f32 x) { return __builtin_rintf(x); }
inline f64 rint(f64 x) { return __builtin_rint(x); }
inline f32 sin(f32 x) { return __builtin_sinf(x); }
inline f64 sin(f64 x) { return __builtin_sin(x); }
inline f32 cos(f32 x) { return __builtin_cosf(x); }
inline f64 cos(f64 x) { return __builtin_cos(x); }
inline f32 sqrt(f32 x) { return __builtin_sqrtf(x); }
inline f64 sqrt(f64 x) { return __builtin_sqrt(x); }
inline f32 pow(f32 x, f32 y) { return __builtin_powf(x, y); }
inline f64 pow(f64 x, f64 y) { return __builtin_pow(x, y); }
inline f32 fmax(f32 x, f32 y) { return __builtin_fmaxf(x, y); }
inline f64 fmax(f64 x, f64 y) { return __builtin_fmax(x, y); }
inline f32 fmin(f32 x, f32 y) { return __builtin_fminf(x, y); }
inline f64 fmin(f64 x, f64 y) { return __builtin_fmin(x, y); }

template <class T> constexpr T pi = T(3.14159265358979323846264338327950288);
template <class T> constexpr T inverse_pi = T(0.318309886183790671537767526745028724);
template <class T> constexpr T not_a_number = T(__builtin_nan(""));
// The largest value below 1.
template <class T> constexpr T below_one = T(1) - T(sizeof(T) == 4 ? 0x1p-24 : 0x1p-53);

inline f32 acospi(f32 x) { return __builtin_acosf(x) * inverse_pi<f32>; }
inline f64 acospi(f64 x) { return __builtin_acos(x) * inverse_pi<f64>; }
inline f32 asinpi(f32 x) { return __builtin_asinf(x) * inverse_pi<f32>; }
inline f64 asinpi(f64 x) { return __builtin_asin(x) * inverse_pi<f64>; }
inline f32 atanpi(f32 x) { return __builtin_atanf(x) * inverse_pi<f32>; }
inline f64 atanpi(f64 x) { return __builtin_atan(x) * inverse_pi<f64>; }
inline f32 atan2pi(f32 y, f32 x) { return __builtin_atan2f(y, x) * inverse_pi<f32>; }
inline f64 atan2pi(f64 y, f64 x) { return __builtin_atan2(y, x) * inverse_pi<f64>; }

template <class T> struct turn {
  T rest;      // in half turns, at most 1/4 in magnitude
  int quarter; // 0 to 3
};

// Splits |x| half turns, exactly: every intermediate value is representable.
template <class T> inline turn<T> split_turn(T x) {
  T a = fabs(x);
  T r = a - 2 * trunc(a * T(0.5));
  // 1 for what has no whole turns to take off: infinities and NaN end up as NaN in `r`.
  T n = rint(2 * r);
  int quarter = n == n ? (int)n & 3 : 0;
  return {r - n * T(0.5), quarter};
}

template <class T> inline T quarter_wave(turn<T> t, int shift) {
  int q = (t.quarter + shift) & 3;
  T angle = t.rest * pi<T>;
  T wave = (q & 1) ? cos(angle) : sin(angle);
  T signed_wave = (q & 2) ? -wave : wave;
  return signed_wave == 0 ? T(0) : signed_wave;
}

// Zero keeps the sign of x, also at whole numbers.
template <class T> inline T sinpi(T x) {
  T wave = quarter_wave(split_turn(x), 0);
  return __builtin_signbit(x) ? -wave : wave;
}

template <class T> inline T cospi(T x) { return quarter_wave(split_turn(x), 1); }

template <class T> inline T fdim(T x, T y) { return x > y ? x - y : (x != x || y != y) ? x + y : T(0); }

// Fused where that is fast, else rounded twice.
template <class T> inline T mad(T x, T y, T z) {
#pragma clang fp contract(on)
  return x * y + z;
}

template <class T> inline T rsqrt(T x) { return T(1) / sqrt(x); }

template <class T> inline T maxmag(T x, T y) {
  T a = fabs(x), b = fabs(y);
  return a > b ? x : b > a ? y : fmax(x, y);
}

template <class T> inline T minmag(T x, T y) {
  T a = fabs(x), b = fabs(y);
  return a < b ? x : b < a ? y : fmin(x, y);
}

template <class T> inline T modf(T x, T *whole) {
  T w = trunc(x);
  *whole = w;
  return copysign(__builtin_isinf(x) ? T(0) : x - w, x);
}

template <class T> inline T fract(T x, T *whole) {
  T w = floor(x);
  *whole = w;
  T f = __builtin_isinf(x) ? copysign(T(0), x) : x - w;
  // A small negative x would round to 1.
  return f < 1 || f != f ? f : below_one<T>;
}

// Defined for x >= 0 only, as exp(y * log(x)) is.
template <class T> inline T powr(T x, T y) {
  bool undefined = x < 0 || x != x || y != y || (y == 0 && (x == 0 || __builtin_isinf(x))) || (x == 1 && __builtin_isinf(y));
  return undefined ? not_a_number<T> : pow(fabs(x), y);
}

// Every i32 is a double, but not a float: an odd n must not become even.
inline f64 pown(f64 x, i32 n) { return pow(x, (f64)n); }
inline f32 pown(f32 x, i32 n) { return (f32)pow((f64)x, (f64)n); }

// One Newton step removes the error of rounding 1/n, which the logarithm of a magnifies.
inline f64 positive_root(f64 a, i32 n) {
  if (n == 2)
    return sqrt(a);
  f64 root = pow(a, 1.0 / n);
  f64 excess = (pow(root, (f64)n) / a - 1) / n;
  return __builtin_isfinite(excess) ? root - root * excess : root;
}

inline f64 rootn(f64 x, i32 n) {
  bool odd = n & 1;
  if (n == 0 || (x < 0 && !odd))
    return not_a_number<f64>;
  f64 root = positive_root(fabs(x), n);
  return odd ? copysign(root, x) : root;
}

inline f32 rootn(f32 x, i32 n) { return (f32)rootn((f64)x, n); }

} // namespace math
