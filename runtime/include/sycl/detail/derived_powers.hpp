// Powers and roots with whole exponents for where double is fast. To be included behind derived_math.hpp, in its namespace.

// Every int is a double, but not a float: an odd n must not become even.
inline double pown(double x, int n) { return pow(x, (double)n); }
inline float pown(float x, int n) { return (float)pow((double)x, (double)n); }

// What 1/n has lost by rounding matters as much more as the logarithm is larger.
template <class T> inline T positive_root(T a, int n) {
  T whole = (T)n, inverse = T(1) / whole;
  T error = fma(-inverse, whole, T(1)) * inverse;
  T root = pow(a, inverse), rest = root * (error * log(a));
  return __builtin_isfinite(rest) ? root + rest : root;
}

template <class T> inline T rootn(T x, int n) {
  bool odd = n & 1;
  T root = positive_root(fabs(x), n), signed_root = odd ? copysign(root, x) : root;
  return n == 0 || (x < 0 && !odd) ? not_a_number<T> : signed_root;
}
