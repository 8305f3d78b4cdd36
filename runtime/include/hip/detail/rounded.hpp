// Operations rounded in a mode, which are not contracted with others.
//
// An operation on float is computed in double so that its last bit says whether it is exact, and
// rounded again. One on double is rounded to nearest, and the sign of its error, which is a double
// itself, moves it by one. *Invariant:* results are those of the mode, but for the sign of a zero
// and, in double, sums of a product beyond the range.
#ifndef HIP_DETAIL_ROUNDED_HPP
#define HIP_DETAIL_ROUNDED_HPP

#include "conversions.hpp"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++17-extensions"
#pragma float_control(push)
#pragma float_control(precise, on)
#pragma STDC FP_CONTRACT OFF

// A sum or product with its error: `high + low` is exact.
struct sinter_hip_exact {
  double high, low;
};
SINTER_HIP_BOTH sinter_hip_exact sinter_hip_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// To odd: of the two neighbours of an inexact number the one whose last bit is set.
SINTER_HIP_BOTH double sinter_hip_odd(double x, double error) {
  const long long bits = __double_as_longlong(x);
  if ((bits & 1) != 0 || !(error < 0 || error > 0) || !(fabs(x) <= 1.7976931348623157e308))
    return x;
  return sycl::detail::neighbour(x, error > 0);
}
SINTER_HIP_BOTH double sinter_hip_wide_add(float a, float b) {
  const sinter_hip_exact sum = sinter_hip_sum(a, b);
  return sinter_hip_odd(sum.high, sum.low);
}
SINTER_HIP_BOTH double sinter_hip_wide_sub(float a, float b) { return sinter_hip_wide_add(a, -b); }
SINTER_HIP_BOTH double sinter_hip_wide_mul(float a, float b) { return static_cast<double>(a) * b; }
SINTER_HIP_BOTH double sinter_hip_wide_div(float a, float b) {
  const double quotient = static_cast<double>(a) / b, rest = fma(-quotient, static_cast<double>(b), a);
  return sinter_hip_odd(quotient, b < 0 ? -rest : rest);
}
SINTER_HIP_BOTH double sinter_hip_wide_rcp(float a) { return sinter_hip_wide_div(1.0f, a); }
SINTER_HIP_BOTH double sinter_hip_wide_sqrt(float a) {
  const double root = sqrt(static_cast<double>(a));
  return sinter_hip_odd(root, fma(-root, root, a));
}
SINTER_HIP_BOTH double sinter_hip_wide_fma(float a, float b, float c) {
  const sinter_hip_exact sum = sinter_hip_sum(static_cast<double>(a) * b, c);
  return sinter_hip_odd(sum.high, sum.low);
}

// Moves a number that was rounded to nearest, by the sign of what it lacks.
template <sycl::rounding_mode Mode> SINTER_HIP_BOTH double sinter_hip_moved(double x, double error) {
  if (Mode == sinter_hip_rn || !(error < 0 || error > 0) || (Mode == sinter_hip_rz && x == 0))
    return x;
  const bool is_up = Mode == sinter_hip_ru || (Mode == sinter_hip_rz && x < 0);
  return (error > 0) == is_up ? sycl::detail::neighbour(x, is_up) : x;
}
// A finite operation whose result is beyond the range lacks the way back.
SINTER_HIP_BOTH double sinter_hip_lack(double x, double error, bool is_finite) {
  const bool is_beyond = is_finite && !(fabs(x) <= 1.7976931348623157e308) && x == x;
  return is_beyond ? -x : error;
}
SINTER_HIP_BOTH bool sinter_hip_finite(double x) { return fabs(x) <= 1.7976931348623157e308; }
// A number with the sign of a product's error. Below the range the smaller factor is scaled.
SINTER_HIP_BOTH double sinter_hip_product_error(double a, double b, double product) {
  if (product == 0)
    return a == 0 || b == 0 ? 0 : (a < 0) == (b < 0) ? 0x1p-1074 : -0x1p-1074;
  const double scale = fabs(product) < 0x1p-900 ? 0x1p500 : 1.0;
  const bool is_first = fabs(a) < fabs(b);
  return fma(is_first ? a * scale : a, is_first ? b : b * scale, -(product * scale));
}
template <sycl::rounding_mode Mode> SINTER_HIP_BOTH double sinter_hip_add(double a, double b) {
  const sinter_hip_exact sum = sinter_hip_sum(a, b);
  return sinter_hip_moved<Mode>(sum.high,
                                sinter_hip_lack(sum.high, sum.low, sinter_hip_finite(a) && sinter_hip_finite(b)));
}
template <sycl::rounding_mode Mode> SINTER_HIP_BOTH double sinter_hip_sub(double a, double b) {
  return sinter_hip_add<Mode>(a, -b);
}
template <sycl::rounding_mode Mode> SINTER_HIP_BOTH double sinter_hip_mul(double a, double b) {
  const double product = a * b, error = sinter_hip_product_error(a, b, product);
  return sinter_hip_moved<Mode>(product,
                                sinter_hip_lack(product, error, sinter_hip_finite(a) && sinter_hip_finite(b)));
}
template <sycl::rounding_mode Mode> SINTER_HIP_BOTH double sinter_hip_div(double a, double b) {
  const double quotient = a / b, scale = fabs(a) < 0x1p-900 ? 0x1p110 : 1.0;
  const double rest = fma(-(quotient * scale), b, a * scale);
  const bool is_finite = sinter_hip_finite(a) && sinter_hip_finite(b) && b != 0;
  return sinter_hip_moved<Mode>(quotient, sinter_hip_lack(quotient, b < 0 ? -rest : rest, is_finite));
}
template <sycl::rounding_mode Mode> SINTER_HIP_BOTH double sinter_hip_rcp(double a) {
  return sinter_hip_div<Mode>(1.0, a);
}
template <sycl::rounding_mode Mode> SINTER_HIP_BOTH double sinter_hip_sqrt(double a) {
  const bool is_small = a < 0x1p-900;
  const double root = sqrt(a), scaled = is_small ? root * 0x1p60 : root;
  return sinter_hip_moved<Mode>(root, fma(-scaled, scaled, is_small ? a * 0x1p120 : a));
}
template <sycl::rounding_mode Mode> SINTER_HIP_BOTH double sinter_hip_fma(double a, double b, double c) {
  const double result = fma(a, b, c), product = a * b, direction = sinter_hip_product_error(a, b, product);
  const sinter_hip_exact sum = sinter_hip_sum(product, c);
  // Below the range the error of the product is less than everything else.
  double lack = fma(a, b, -product);
  lack = lack != 0 || sum.low != 0 ? lack : direction;
  const sinter_hip_exact rest = sinter_hip_sum(sum.low, lack);
  const double error = (sum.high - result) + rest.high;
  const bool is_finite = sinter_hip_finite(a) && sinter_hip_finite(b) && sinter_hip_finite(c);
  return sinter_hip_moved<Mode>(result, sinter_hip_lack(result, error != 0 ? error : rest.low, is_finite));
}

#define SINTER_HIP_IN_MODE(mode)                                                                                     \
  SINTER_HIP_ROUNDED(add, add, mode, (float a, float b), (double a, double b), (a, b))                               \
  SINTER_HIP_ROUNDED(sub, sub, mode, (float a, float b), (double a, double b), (a, b))                               \
  SINTER_HIP_ROUNDED(mul, mul, mode, (float a, float b), (double a, double b), (a, b))                               \
  SINTER_HIP_ROUNDED(div, div, mode, (float a, float b), (double a, double b), (a, b))                               \
  SINTER_HIP_ROUNDED(rcp, rcp, mode, (float a), (double a), (a))                                                     \
  SINTER_HIP_ROUNDED(sqrt, sqrt, mode, (float a), (double a), (a))                                                   \
  SINTER_HIP_BOTH float __fmaf_##mode(float a, float b, float c) {                                                   \
    return sycl::detail::round_fraction<float, sinter_hip_##mode>(sinter_hip_wide_fma(a, b, c));                     \
  }                                                                                                                  \
  SINTER_HIP_BOTH double __fma_##mode(double a, double b, double c) {                                                \
    return sinter_hip_fma<sinter_hip_##mode>(a, b, c);                                                               \
  }
#define SINTER_HIP_ROUNDED(name, of, mode, narrow, wide, arguments)                                                  \
  SINTER_HIP_BOTH float __f##name##_##mode narrow {                                                                  \
    return sycl::detail::round_fraction<float, sinter_hip_##mode>(sinter_hip_wide_##of arguments);                   \
  }                                                                                                                  \
  SINTER_HIP_BOTH double __d##name##_##mode wide { return sinter_hip_##of<sinter_hip_##mode> arguments; }
SINTER_HIP_IN_MODE(rd)
SINTER_HIP_IN_MODE(ru)
SINTER_HIP_IN_MODE(rz)
#undef SINTER_HIP_ROUNDED
#undef SINTER_HIP_IN_MODE

// To nearest is what operations do.
#define SINTER_HIP_NEAREST(name, op)                                                                                 \
  SINTER_HIP_BOTH float __f##name##_rn(float a, float b) { _Pragma("clang fp contract(off)") return a op b; }        \
  SINTER_HIP_BOTH double __d##name##_rn(double a, double b) { _Pragma("clang fp contract(off)") return a op b; }
SINTER_HIP_NEAREST(add, +)
SINTER_HIP_NEAREST(sub, -)
SINTER_HIP_NEAREST(mul, *)
SINTER_HIP_NEAREST(div, /)
#undef SINTER_HIP_NEAREST
SINTER_HIP_BOTH float __frcp_rn(float x) { return 1.0f / x; }
SINTER_HIP_BOTH double __drcp_rn(double x) { return 1.0 / x; }
SINTER_HIP_BOTH float __fsqrt_rn(float x) { return sqrtf(x); }
SINTER_HIP_BOTH double __dsqrt_rn(double x) { return sqrt(x); }
SINTER_HIP_BOTH float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
SINTER_HIP_BOTH float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SINTER_HIP_BOTH double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

#pragma float_control(pop)
#pragma clang diagnostic pop

#endif
