// Floating-point functions on float and double.
//
// Each is the C library's function of that name, through the compiler's builtin, so that stage 1 can turn it into an
// intrinsic for device code and host code calls libm. What libm lacks is written out here. What devices have an
// instruction for, or may compute less exactly, is a function of theirs in device code.
#ifndef SYCL_MATH_HPP
#define SYCL_MATH_HPP

#include "bit_cast.hpp"
#include "detail/builtins.hpp"

namespace sycl {

// A template with nothing to deduce converts arguments as a function does, but the C library's function of the same
// types is the better match: a program may say `using namespace sycl` and `sqrt(x)`.
#define SINTER_MATH_1(name)                                                                                          \
  template <int = 0> inline float name(float x) noexcept { return __builtin_##name##f(x); }                          \
  template <int = 0> inline double name(double x) noexcept { return __builtin_##name(x); }
#define SINTER_MATH_2(name)                                                                                          \
  template <int = 0> inline float name(float x, float y) noexcept { return __builtin_##name##f(x, y); }              \
  template <int = 0> inline double name(double x, double y) noexcept { return __builtin_##name(x, y); }
#define SINTER_MATH_3(name)                                                                                          \
  template <int = 0> inline float name(float x, float y, float z) noexcept { return __builtin_##name##f(x, y, z); }  \
  template <int = 0> inline double name(double x, double y, double z) noexcept { return __builtin_##name(x, y, z); }

SINTER_MATH_1(acos)
SINTER_MATH_1(acosh)
SINTER_MATH_1(asin)
SINTER_MATH_1(asinh)
SINTER_MATH_1(atan)
SINTER_MATH_1(atanh)
SINTER_MATH_1(cbrt)
SINTER_MATH_1(ceil)
SINTER_MATH_1(cos)
SINTER_MATH_1(cosh)
SINTER_MATH_1(erf)
SINTER_MATH_1(erfc)
SINTER_MATH_1(exp)
SINTER_MATH_1(exp2)
SINTER_MATH_1(exp10)
SINTER_MATH_1(expm1)
SINTER_MATH_1(fabs)
SINTER_MATH_1(floor)
SINTER_MATH_1(lgamma)
SINTER_MATH_1(log)
SINTER_MATH_1(log2)
SINTER_MATH_1(log10)
SINTER_MATH_1(log1p)
SINTER_MATH_1(logb)
SINTER_MATH_1(rint)
SINTER_MATH_1(round)
SINTER_MATH_1(sin)
SINTER_MATH_1(sinh)
SINTER_MATH_1(sqrt)
SINTER_MATH_1(tan)
SINTER_MATH_1(tanh)
SINTER_MATH_1(tgamma)
SINTER_MATH_1(trunc)
SINTER_MATH_2(atan2)
SINTER_MATH_2(copysign)
SINTER_MATH_2(fdim)
SINTER_MATH_2(fmax)
SINTER_MATH_2(fmin)
SINTER_MATH_2(fmod)
SINTER_MATH_2(hypot)
SINTER_MATH_2(nextafter)
SINTER_MATH_2(pow)
SINTER_MATH_2(remainder)
SINTER_MATH_3(fma)

#undef SINTER_MATH_1
#undef SINTER_MATH_2
#undef SINTER_MATH_3

namespace detail {

template <class T> inline constexpr bool is_real = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T> inline constexpr T pi = static_cast<T>(3.141592653589793238462643383279502884L);

} // namespace detail

#define SINTER_REAL template <class T, detail::enable_if<detail::is_real<T>> = 0> inline

SINTER_REAL int ilogb(T x) noexcept { return __builtin_ilogb(x); }
SINTER_REAL T ldexp(T x, int exponent) noexcept { return static_cast<T>(__builtin_ldexp(x, exponent)); }
SINTER_REAL T mad(T a, T b, T c) noexcept { return a * b + c; }
SINTER_REAL T maxmag(T x, T y) noexcept {
  const T a = fabs(x), b = fabs(y);
  return a > b ? x : b > a ? y : fmax(x, y);
}
SINTER_REAL T minmag(T x, T y) noexcept {
  const T a = fabs(x), b = fabs(y);
  return a < b ? x : b < a ? y : fmin(x, y);
}
SINTER_REAL T rsqrt(T x) noexcept {
  if (__acpp_sscp_is_host)
    return T(1) / sqrt(x);
  if constexpr (sizeof(T) == sizeof(float))
    return __acpp_sscp_rsqrt_f32(x);
  else
    return __acpp_sscp_rsqrt_f64(x);
}
SINTER_REAL T powr(T x, T y) noexcept { return pow(x, y); }
// In double, where every int is exact, so that the parity of y survives.
SINTER_REAL T pown(T x, int y) noexcept { return static_cast<T>(pow(static_cast<double>(x), static_cast<double>(y))); }
SINTER_REAL T rootn(T x, int y) noexcept {
  const bool odd = (y & 1) != 0;
  const T a = odd ? fabs(x) : x, n = static_cast<T>(y), inverse = T(1) / n;
  // What 1/n has lost by rounding matters as much more as the logarithm is larger.
  const T root = pow(a, inverse), rest = root * (fma(-inverse, n, T(1)) * inverse * log(a));
  const T corrected = __builtin_isfinite(rest) ? root + rest : root;
  return odd ? copysign(corrected, x) : corrected;
}

namespace detail {

// -1 for odd whole numbers, 1 for even ones. Large numbers are even.
SINTER_REAL T parity(T whole) noexcept { return floor(whole / T(2)) == whole / T(2) ? T(1) : T(-1); }

} // namespace detail

// Removing half turns is exact; what is left has a sine that vanishes only at 0, also where the cosine vanishes.
SINTER_REAL T sinpi(T x) noexcept { return detail::parity(rint(x)) * sin(detail::pi<T> * (x - rint(x))); }
SINTER_REAL T cospi(T x) noexcept {
  return detail::parity(rint(x)) * sin(detail::pi<T> * (T(0.5) - fabs(x - rint(x))));
}
SINTER_REAL T tanpi(T x) noexcept { return sinpi(x) / cospi(x); }
SINTER_REAL T acospi(T x) noexcept { return acos(x) / detail::pi<T>; }
SINTER_REAL T asinpi(T x) noexcept { return asin(x) / detail::pi<T>; }
SINTER_REAL T atanpi(T x) noexcept { return atan(x) / detail::pi<T>; }
SINTER_REAL T atan2pi(T y, T x) noexcept { return atan2(y, x) / detail::pi<T>; }

// The second result goes where `Pointer` points: T * or int *.
#define SINTER_REAL_POINTER                                                                                          \
  template <class T, class Pointer, detail::enable_if<detail::is_real<T>> = 0> inline

SINTER_REAL_POINTER T sincos(T x, Pointer cosine) noexcept {
  *cosine = cos(x);
  return sin(x);
}
SINTER_REAL_POINTER T fract(T x, Pointer whole) noexcept {
  const T below_one = sizeof(T) == sizeof(float) ? T(0x1.fffffep-1) : T(0x1.fffffffffffffp-1);
  *whole = floor(x);
  return fmin(x - floor(x), below_one);
}
SINTER_REAL_POINTER T modf(T x, Pointer whole) noexcept {
  *whole = trunc(x);
  return copysign(__builtin_isinf(x) ? T(0) : x - trunc(x), x);
}
SINTER_REAL_POINTER T frexp(T x, Pointer exponent) noexcept {
  int value = 0;
  const T mantissa = static_cast<T>(__builtin_frexp(x, &value));
  *exponent = value;
  return mantissa;
}

// The sign is that of the gamma function: negative between every other pair of whole numbers below 0, and at -0.
SINTER_REAL_POINTER T lgamma_r(T x, Pointer sign) noexcept {
  const bool negative = x < T(0) ? floor(x) != x && detail::parity(floor(x)) < T(0) : x == T(0) && __builtin_signbit(x);
  *sign = negative ? -1 : 1;
  return lgamma(x);
}
// Removing 128 y changes neither the rest nor the lower bits of the quotient, which is then small enough to be exact.
SINTER_REAL_POINTER T remquo(T x, T y, Pointer quotient) noexcept {
  const T rest = remainder(x, y), small = rint((fmod(x, T(128) * y) - rest) / y);
  *quotient = small == small ? static_cast<int>(small) % 128 : 0;
  return rest;
}

// The code goes where a quiet NaN has room for it.
inline float nan(std::uint32_t code) noexcept { return bit_cast<float>(0x7fc00000u | (code & 0x3fffffu)); }
template <class T, detail::enable_if<std::is_integral_v<T> && std::is_unsigned_v<T> && sizeof(T) == 8> = 0>
inline double nan(T code) noexcept {
  return bit_cast<double>(std::uint64_t(0x7ff8000000000000u) | (code & 0x7ffffffffffffu));
}

SINTER_REAL bool isnan(T x) noexcept { return __builtin_isnan(x); }
SINTER_REAL bool isinf(T x) noexcept { return __builtin_isinf(x); }
SINTER_REAL bool isfinite(T x) noexcept { return __builtin_isfinite(x); }
SINTER_REAL bool isnormal(T x) noexcept { return __builtin_isnormal(x); }
SINTER_REAL bool signbit(T x) noexcept { return __builtin_signbit(x); }

SINTER_REAL T degrees(T radians) noexcept { return radians * (T(180) / detail::pi<T>); }
SINTER_REAL T radians(T degrees) noexcept { return degrees * (detail::pi<T> / T(180)); }
SINTER_REAL T mix(T x, T y, T a) noexcept { return x + (y - x) * a; }
SINTER_REAL T step(T edge, T x) noexcept { return x < edge ? T(0) : T(1); }
SINTER_REAL T smoothstep(T edge0, T edge1, T x) noexcept {
  const T t = fmin(fmax((x - edge0) / (edge1 - edge0), T(0)), T(1));
  return t * t * (T(3) - T(2) * t);
}
SINTER_REAL T sign(T x) noexcept { return x > T(0) ? T(1) : x < T(0) ? T(-1) : isnan(x) ? T(0) : x; }

#undef SINTER_REAL_POINTER
#undef SINTER_REAL

// Functions of unspecified accuracy, and those that may be off by 8192 units in the last place: on a device its own
// instructions, where they are accurate enough. In host code the ordinary functions.
#define SINTER_NATIVE_1(name, value)                                                                                 \
  inline float name(float x) noexcept { return __acpp_sscp_is_host ? value : __acpp_sscp_native_##name##_f32(x); }
#define SINTER_NATIVE_2(name, value)                                                                                 \
  inline float name(float x, float y) noexcept {                                                                     \
    return __acpp_sscp_is_host ? value : __acpp_sscp_native_##name##_f32(x, y);                                      \
  }
#define SINTER_HALF_1(name)                                                                                          \
  inline float name(float x) noexcept { return sycl::name(x); }

namespace native {
SINTER_NATIVE_1(cos, sycl::cos(x))
SINTER_NATIVE_1(sin, sycl::sin(x))
SINTER_NATIVE_1(tan, sycl::tan(x))
SINTER_NATIVE_1(exp, sycl::exp(x))
SINTER_NATIVE_1(exp2, sycl::exp2(x))
SINTER_NATIVE_1(exp10, sycl::exp10(x))
SINTER_NATIVE_1(log, sycl::log(x))
SINTER_NATIVE_1(log2, sycl::log2(x))
SINTER_NATIVE_1(log10, sycl::log10(x))
SINTER_NATIVE_1(sqrt, sycl::sqrt(x))
SINTER_NATIVE_1(rsqrt, sycl::rsqrt(x))
SINTER_NATIVE_1(recip, 1.0f / x)
SINTER_NATIVE_2(divide, x / y)
SINTER_NATIVE_2(powr, sycl::powr(x, y))
} // namespace native
// Instructions for angles, logarithms and powers have an absolute error, which is too large where the result is small.
namespace half_precision {
using native::divide, native::exp, native::exp10, native::exp2, native::recip, native::rsqrt, native::sqrt;
SINTER_HALF_1(cos)
SINTER_HALF_1(sin)
SINTER_HALF_1(tan)
SINTER_HALF_1(log)
SINTER_HALF_1(log2)
SINTER_HALF_1(log10)
inline float powr(float x, float y) noexcept { return sycl::powr(x, y); }
} // namespace half_precision
#undef SINTER_HALF_1
#undef SINTER_NATIVE_2
#undef SINTER_NATIVE_1

} // namespace sycl

#endif
