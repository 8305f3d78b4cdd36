// The references of the math functions: templates for double, long double and 128-bit numbers.
//
// Results are compared with a reference in a wider type: double for float and narrower types, long
// double for double. The largest error of each function is then computed again with 128-bit
// numbers (113 digits), from the same formulas. Both are glibc's.
#ifndef NUMERICS_REFERENCE_HPP
#define NUMERICS_REFERENCE_HPP

#include <cmath>
#include <cstdint>
#include <limits>

using quad = __float128;

// The functions that glibc declares for `_Float128`, which clang does not have in C++.
#define QUAD_UNARY(X) \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp10) \
  X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb) X(rint) X(round) X(sin) \
  X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define QUAD_BINARY(X) \
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)

#define DECLARE1(NAME) quad NAME##f128(quad) noexcept;
#define DECLARE2(NAME) quad NAME##f128(quad, quad) noexcept;
extern "C" {
QUAD_UNARY(DECLARE1)
QUAD_BINARY(DECLARE2)
quad ldexpf128(quad, int) noexcept;
quad fmaf128(quad, quad, quad) noexcept;
int ilogbf128(quad) noexcept;
}
#undef DECLARE1
#undef DECLARE2

namespace reference {

using std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh, std::cbrt, std::ceil,
    std::copysign, std::cos, std::cosh, std::erf, std::erfc, std::exp, std::exp2, std::expm1, std::fabs, std::fdim,
    std::floor, std::fma, std::fmax, std::fmin, std::fmod, std::hypot, std::ldexp, std::lgamma, std::log, std::log10,
    std::log1p, std::log2, std::logb, std::nextafter, std::pow, std::remainder, std::rint, std::round, std::sin,
    std::sinh, std::sqrt, std::tan, std::tanh, std::tgamma, std::trunc;

#define DEFINE1(NAME) \
  inline quad NAME(quad x) { return NAME##f128(x); }
#define DEFINE2(NAME) \
  inline quad NAME(quad x, quad y) { return NAME##f128(x, y); }
QUAD_UNARY(DEFINE1)
QUAD_BINARY(DEFINE2)
inline quad ldexp(quad x, int n) { return ldexpf128(x, n); }
inline quad fma(quad x, quad y, quad z) { return fmaf128(x, y, z); }
#undef DEFINE1
#undef DEFINE2
#undef QUAD_UNARY
#undef QUAD_BINARY

template <class W> bool is_nan(W x) { return x != x; }
template <class W> bool is_infinite(W x) { return x == x && x - x != 0; }

// Pi as the sum of two numbers of 53 bits and one of 32.
template <class W> constexpr W pi = W(0x1.921fb54442d18p+1) + W(0x1.1a62633145c06p-53) + W(0x1.c1cd1290p-105);
template <class W> constexpr W nan_of = W(std::numeric_limits<double>::quiet_NaN());

inline float exp10(float x) { return float(std::pow(10.0, double(x))); }
inline double exp10(double x) { return double(std::pow(10.0L, static_cast<long double>(x))); }
extern "C" long double exp10l(long double) noexcept;
inline long double exp10(long double x) { return exp10l(x); }

template <class W> W acospi(W x) { return acos(x) / pi<W>; }
template <class W> W asinpi(W x) { return asin(x) / pi<W>; }
template <class W> W atanpi(W x) { return atan(x) / pi<W>; }
template <class W> W atan2pi(W y, W x) { return atan2(y, x) / pi<W>; }
template <class W> W rsqrt(W x) { return 1 / sqrt(x); }
template <class W> W recip(W x) { return 1 / x; }
template <class W> W divide(W x, W y) { return x / y; }
template <class W> W mad(W x, W y, W z) { return fma(x, y, z); }
template <class W> W degrees(W x) { return x * (180 / pi<W>); }
template <class W> W radians(W x) { return x * (pi<W> / 180); }

// Subtracting whole periods is exact, and so is subtracting a quarter period where the slope is
// steep.
template <class W> W sinpi(W x) {
  W r = remainder(x, W(2)), a = fabs(r);
  W wave = a <= W(0.25) ? sin(pi<W> * a) : a <= W(0.75) ? cos(pi<W> * (a - W(0.5))) : sin(pi<W> * (1 - a));
  return copysign(wave, wave == 0 ? x : r);
}
template <class W> W cospi(W x) {
  W a = fabs(remainder(x, W(2)));
  return a <= W(0.25) ? cos(pi<W> * a) : a <= W(0.75) ? sin(pi<W> * (W(0.5) - a)) : -cos(pi<W> * (1 - a));
}
// The signs of zeros and infinities are those of section 7.5.1 of the OpenCL 3.0 specification:
// zeros at odd numbers have the other sign, infinities that of the even number before.
template <class W> W tanpi(W x) {
  W turn = remainder(x, W(2)), r = remainder(x, W(1)), a = fabs(r);
  if (a == W(0.5))
    return copysign(W(std::numeric_limits<double>::infinity()), turn);
  if (a == 0)
    return copysign(W(0), fabs(turn) == 1 ? -x : x);
  W slope = a <= W(0.25) ? tan(pi<W> * a) : 1 / tan(pi<W> * (W(0.5) - a));
  return copysign(slope, r);
}
template <class W> W maxmag(W x, W y) {
  return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y);
}
template <class W> W minmag(W x, W y) {
  return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y);
}
template <class W> W powr(W x, W y) {
  const bool undefined = x < 0 || is_nan(x) || is_nan(y) || (y == 0 && (x == 0 || is_infinite(x))) ||
                         (x == 1 && is_infinite(y));
  return undefined ? nan_of<W> : pow(fabs(x), y);
}
template <class W> W pown(W x, std::int32_t n) { return pow(x, W(n)); }
template <class W> W rootn(W x, std::int32_t n) {
  const bool odd = n % 2 != 0;
  if (n == 0 || (x < 0 && !odd))
    return nan_of<W>;
  // The rounding error of 1/n counts where the logarithm is large.
  const W a = fabs(x), inverse = 1 / W(n), rest = fma(-inverse, W(n), W(1)) * inverse;
  const W root = pow(a, inverse), correction = root * (rest * log(a));
  const W sum = is_nan(correction) || is_infinite(correction) ? root : root + correction;
  return odd ? copysign(sum, x) : sum;
}
template <class W> W sign(W x) { return x > 0 ? W(1) : x < 0 ? W(-1) : is_nan(x) ? W(0) : x; }
template <class W> W step(W edge, W x) { return x < edge ? W(0) : W(1); }
// `below` is the largest number below 1: a small negative x would give 1.
template <class W> W fract(W x, W below) {
  const W part = x - floor(x);
  return is_nan(x) ? x : x == 0 || is_infinite(x) ? copysign(W(0), x) : part < below ? part : below;
}
template <class W> W modf(W x) { return is_infinite(x) ? copysign(W(0), x) : copysign(x - trunc(x), x); }
template <class W> W frexp(W x) {
  return x == 0 || is_nan(x) || is_infinite(x) ? x : ldexp(x, -1 - int(logb(x)));
}
template <class W> W exponent(W x) { return x == 0 || is_nan(x) || is_infinite(x) ? W(0) : logb(x) + 1; }
// The largest int for an infinity, the smallest for zero and NaN.
template <class W> W ilogb(W x) {
  constexpr auto largest = std::numeric_limits<int>::max(), smallest = std::numeric_limits<int>::min();
  return x == 0 || is_nan(x) ? W(smallest) : is_infinite(x) ? W(largest) : logb(x);
}

} // namespace reference

#endif
