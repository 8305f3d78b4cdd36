// Math functions that libraries lack, on top of the elementary ones, which must be declared.
// Special values follow the OpenCL 3.0 specification, section 7.5.1 (edge case behaviour), to which
// SYCL 2020 refers.
//
// Host code of SYCL and the device builtins share this code: it is included in a namespace, by
// host_math.hpp and by kernels/builtins/generic.
template <class Type> constexpr Type pi = Type(3.14159265358979323846264338327950288);
template <class Type> constexpr Type inverse_pi = Type(0.318309886183790671537767526745028724);
template <class Type> constexpr Type not_a_number = Type(__builtin_nan(""));
// The largest value below 1.
template <class Type> constexpr Type below_one = Type(1) - Type(sizeof(Type) == 4 ? 0x1p-24 : 0x1p-53);

template <class Type> inline Type acospi(Type x) { return acos(x) * inverse_pi<Type>; }
template <class Type> inline Type asinpi(Type x) { return asin(x) * inverse_pi<Type>; }
template <class Type> inline Type atanpi(Type x) { return atan(x) * inverse_pi<Type>; }
template <class Type> inline Type atan2pi(Type y, Type x) { return atan2(y, x) * inverse_pi<Type>; }

template <class Type> inline Type fdim(Type x, Type y) { return x > y ? x - y : (x != x || y != y) ? x + y : Type(0); }

// Fused if that is fast, else rounded twice.
template <class Type> inline Type mad(Type x, Type y, Type z) {
#pragma clang fp contract(on)
  return x * y + z;
}

template <class Type> inline Type maxmag(Type x, Type y) {
  Type a = fabs(x), b = fabs(y);
  return a > b ? x : b > a ? y : fmax(x, y);
}

template <class Type> inline Type minmag(Type x, Type y) {
  Type a = fabs(x), b = fabs(y);
  return a < b ? x : b < a ? y : fmin(x, y);
}

template <class Type> inline Type modf(Type x, Type *whole) {
  Type w = trunc(x);
  *whole = w;
  return copysign(__builtin_isinf(x) ? Type(0) : x - w, x);
}

template <class Type> inline Type fract(Type x, Type *whole) {
  Type w = floor(x);
  *whole = w;
  Type f = x == 0 || __builtin_isinf(x) ? copysign(Type(0), x) : x - w;
  // A small negative x would round to 1.
  return f < 1 || f != f ? f : below_one<Type>;
}

// The sign of the gamma function; 0 at its poles, which are zero and the negative integers.
template <class Type> inline int gamma_sign(Type x) {
  bool pole = x <= 0 && x == floor(x) && !__builtin_isinf(x);
  bool odd = floor(x) != 2 * floor(x * Type(0.5));
  return pole ? 0 : x < 0 && odd ? -1 : 1;
}

template <class Type> inline Type lgamma_r(Type x, int *sign) {
  *sign = gamma_sign(x);
  return lgamma(x);
}

// Defined for x >= 0 only, as exp(y * log(x)) is.
template <class Type> inline Type powr(Type x, Type y) {
  bool undefined = x < 0 || x != x || y != y || (y == 0 && (x == 0 || __builtin_isinf(x))) ||
                   (x == 1 && __builtin_isinf(y));
  return undefined ? not_a_number<Type> : pow(fabs(x), y);
}
