// Powers and roots with integer exponents, the former in double. To be included after
// derived_math.hpp, in its namespace.

// Every int is exact as a double, but not as a float: an odd n must not become even.
inline double pown(double x, int n) { return pow(x, (double)n); }
inline float pown(float x, int n) { return (float)pow((double)x, (double)n); }

// The rounding error of 1/n is multiplied by the logarithm.
template <class Type> inline Type positive_root(Type a, int n) {
  Type whole = (Type)n, inverse = Type(1) / whole;
  Type error = fma(-inverse, whole, Type(1)) * inverse;
  Type root = pow(a, inverse), rest = root * (error * log(a));
  return __builtin_isfinite(rest) ? root + rest : root;
}

template <class Type> inline Type rootn(Type x, int n) {
  bool odd = n & 1;
  Type root = positive_root(fabs(x), n), signed_root = odd ? copysign(root, x) : root;
  return n == 0 || (x < 0 && !odd) ? not_a_number<Type> : signed_root;
}
