// Powers and roots with whole exponents for targets where f64 is fast: f32 is computed as f64. To be included behind
// elementary.hpp.
#pragma once
#include "math.hpp"

namespace math {

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
