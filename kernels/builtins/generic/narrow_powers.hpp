// Powers and roots with integer exponents for targets with slow f64: computed in the type itself,
// with a correction for the exponent bits that it cannot represent. To be included after
// elementary.hpp.
#pragma once
#include "math.hpp"

namespace math {

// |x| to the power n. An f32 represents 24 bits of n. The remainder has the same sign, so that the
// product overflows only if the result does.
inline f32 positive_power(f32 x, i32 n) {
  i32 rest = n % 256;
  bool exact = n > -(1 << 24) && n < 1 << 24;
  return exact ? pow(fabs(x), (f32)n) : pow(fabs(x), (f32)(n - rest)) * pow(fabs(x), (f32)rest);
}
inline f64 positive_power(f64 x, i32 n) { return pow(fabs(x), (f64)n); }

template <class T> inline T pown(T x, i32 n) {
  T power = positive_power(x, n);
  return n & 1 ? copysign(power, x) : power;
}

// a to the power 1/n, where 1/n is a rounded number plus its error: the factor for the error is
// nearly 1.
template <class T> inline T positive_root(T a, i32 n) {
  T whole = (T)n, inverse = 1 / whole;
  T error = fma(-inverse, whole, T(1)) * inverse;
  T root = pow(a, inverse), correction = root * (error * log(a));
  return __builtin_isfinite(correction) ? root + correction : root;
}

template <class T> inline T rootn(T x, i32 n) {
  bool odd = n & 1;
  if (n == 0 || (x < 0 && !odd))
    return not_a_number<T>;
  T a = fabs(x);
  T root = n == 2 ? sqrt(a) : n == 3 ? cbrt(a) : positive_root(a, n);
  return odd ? copysign(root, x) : root;
}

} // namespace math
