// Math functions that libraries do not have, on top of the elementary ones, which must be there. Special values follow the
// OpenCL 3.0 specification, section 7.5.1 (edge case behaviour), which SYCL 2020 refers to.
//
// Host code of SYCL and the device builtins share this code: it is included in a namespace, by host_math.hpp and by
// kernels/builtins/generic.
template <class T> constexpr T pi = T(3.14159265358979323846264338327950288);
template <class T> constexpr T inverse_pi = T(0.318309886183790671537767526745028724);
template <class T> constexpr T not_a_number = T(__builtin_nan(""));
// The largest value below 1.
template <class T> constexpr T below_one = T(1) - T(sizeof(T) == 4 ? 0x1p-24 : 0x1p-53);

template <class T> inline T acospi(T x) { return acos(x) * inverse_pi<T>; }
template <class T> inline T asinpi(T x) { return asin(x) * inverse_pi<T>; }
template <class T> inline T atanpi(T x) { return atan(x) * inverse_pi<T>; }
template <class T> inline T atan2pi(T y, T x) { return atan2(y, x) * inverse_pi<T>; }

template <class T> inline T fdim(T x, T y) { return x > y ? x - y : (x != x || y != y) ? x + y : T(0); }

// Fused where that is fast, else rounded twice.
template <class T> inline T mad(T x, T y, T z) {
#pragma clang fp contract(on)
  return x * y + z;
}

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

// The sign of the gamma function. It is that of 1/x at zero and 1 at the other poles.
template <class T> inline int gamma_sign(T x) {
  bool odd = floor(x) != 2 * floor(x * T(0.5));
  bool negative = x == 0 ? __builtin_signbit(x) : x < 0 && odd && x != floor(x);
  return negative ? -1 : 1;
}

template <class T> inline T lgamma_r(T x, int *sign) {
  *sign = gamma_sign(x);
  return lgamma(x);
}

// Defined for x >= 0 only, as exp(y * log(x)) is.
template <class T> inline T powr(T x, T y) {
  bool undefined = x < 0 || x != x || y != y || (y == 0 && (x == 0 || __builtin_isinf(x))) || (x == 1 && __builtin_isinf(y));
  return undefined ? not_a_number<T> : pow(fabs(x), y);
}
