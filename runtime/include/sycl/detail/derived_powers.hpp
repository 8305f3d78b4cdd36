// Powers and roots with whole exponents for where double is fast: float is computed as double. To be included behind
// derived_math.hpp, in its namespace.
// Every int is a double, but not a float: an odd n must not become even.
inline double pown(double x, int n) { return pow(x, (double)n); }
inline float pown(float x, int n) { return (float)pow((double)x, (double)n); }

// One Newton step removes the error of rounding 1/n, which the logarithm of a magnifies.
inline double positive_root(double a, int n) {
  if (n == 2)
    return sqrt(a);
  double root = pow(a, 1.0 / n);
  double excess = (pow(root, (double)n) / a - 1) / n;
  return __builtin_isfinite(excess) ? root - root * excess : root;
}

inline double rootn(double x, int n) {
  bool odd = n & 1;
  if (n == 0 || (x < 0 && !odd))
    return not_a_number<double>;
  double root = positive_root(fabs(x), n);
  return odd ? copysign(root, x) : root;
}

inline float rootn(float x, int n) { return (float)rootn((double)x, n); }
