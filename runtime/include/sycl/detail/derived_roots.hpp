// Cube roots for targets with glibc, whose function of double is off by up to 4 units in the last
// place. To be included in the namespace of derived_math.hpp.

inline float cbrt(float x) { return __builtin_cbrtf(x); }

// One Newton step leaves about one unit; small numbers are scaled by a cube, so that no digits are
// lost.
inline double cbrt(double x) {
  bool is_small = __builtin_fabs(x) < 0x1p-900;
  double scaled = is_small ? x * 0x1p600 : x;
  double root = __builtin_cbrt(scaled), square = root * root;
  double step = (scaled - square * root) / (3 * square);
  double result = __builtin_isfinite(step) ? root + step : root;
  return is_small ? result * 0x1p-200 : result;
}
