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

template <class Type> inline constexpr bool is_real = std::is_same_v<Type, float> || std::is_same_v<Type, double>;
template <class Type> inline constexpr Type pi = static_cast<Type>(3.141592653589793238462643383279502884L);

} // namespace detail

#define SINTER_REAL template <class Type, detail::enable_if<detail::is_real<Type>> = 0> inline

SINTER_REAL int ilogb(Type x) noexcept { return __builtin_ilogb(x); }
SINTER_REAL Type ldexp(Type x, int exponent) noexcept { return static_cast<Type>(__builtin_ldexp(x, exponent)); }
SINTER_REAL Type mad(Type a, Type b, Type c) noexcept { return a * b + c; }
SINTER_REAL Type maxmag(Type x, Type y) noexcept {
  const Type a = fabs(x), b = fabs(y);
  return a > b ? x : b > a ? y : fmax(x, y);
}
SINTER_REAL Type minmag(Type x, Type y) noexcept {
  const Type a = fabs(x), b = fabs(y);
  return a < b ? x : b < a ? y : fmin(x, y);
}
SINTER_REAL Type rsqrt(Type x) noexcept {
  if (__acpp_sscp_is_host)
    return Type(1) / sqrt(x);
  if constexpr (sizeof(Type) == sizeof(float))
    return __acpp_sscp_rsqrt_f32(x);
  else
    return __acpp_sscp_rsqrt_f64(x);
}
SINTER_REAL Type powr(Type x, Type y) noexcept { return pow(x, y); }
// In double, where every int is exact, so that the parity of y survives.
SINTER_REAL Type pown(Type x, int y) noexcept {
  return static_cast<Type>(pow(static_cast<double>(x), static_cast<double>(y)));
}
SINTER_REAL Type rootn(Type x, int y) noexcept {
  const bool odd = (y & 1) != 0;
  const Type a = odd ? fabs(x) : x, n = static_cast<Type>(y), inverse = Type(1) / n;
  // What 1/n has lost by rounding matters as much more as the logarithm is larger.
  const Type root = pow(a, inverse), rest = root * (fma(-inverse, n, Type(1)) * inverse * log(a));
  const Type corrected = __builtin_isfinite(rest) ? root + rest : root;
  return odd ? copysign(corrected, x) : corrected;
}

namespace detail {

// -1 for odd whole numbers, 1 for even ones. Large numbers are even.
SINTER_REAL Type parity(Type whole) noexcept { return floor(whole / Type(2)) == whole / Type(2) ? Type(1) : Type(-1); }

} // namespace detail

// Removing half turns is exact; what is left has a sine that vanishes only at 0, also where the cosine vanishes.
SINTER_REAL Type sinpi(Type x) noexcept { return detail::parity(rint(x)) * sin(detail::pi<Type> * (x - rint(x))); }
SINTER_REAL Type cospi(Type x) noexcept {
  return detail::parity(rint(x)) * sin(detail::pi<Type> * (Type(0.5) - fabs(x - rint(x))));
}
SINTER_REAL Type tanpi(Type x) noexcept { return sinpi(x) / cospi(x); }
SINTER_REAL Type acospi(Type x) noexcept { return acos(x) / detail::pi<Type>; }
SINTER_REAL Type asinpi(Type x) noexcept { return asin(x) / detail::pi<Type>; }
SINTER_REAL Type atanpi(Type x) noexcept { return atan(x) / detail::pi<Type>; }
SINTER_REAL Type atan2pi(Type y, Type x) noexcept { return atan2(y, x) / detail::pi<Type>; }

// The second result goes where `Pointer` points: Type * or int *.
#define SINTER_REAL_POINTER                                                                                          \
  template <class Type, class Pointer, detail::enable_if<detail::is_real<Type>> = 0> inline

SINTER_REAL_POINTER Type sincos(Type x, Pointer cosine) noexcept {
  *cosine = cos(x);
  return sin(x);
}
SINTER_REAL_POINTER Type fract(Type x, Pointer whole) noexcept {
  const Type below_one = sizeof(Type) == sizeof(float) ? Type(0x1.fffffep-1) : Type(0x1.fffffffffffffp-1);
  *whole = floor(x);
  return fmin(x - floor(x), below_one);
}
SINTER_REAL_POINTER Type modf(Type x, Pointer whole) noexcept {
  *whole = trunc(x);
  return copysign(__builtin_isinf(x) ? Type(0) : x - trunc(x), x);
}
SINTER_REAL_POINTER Type frexp(Type x, Pointer exponent) noexcept {
  int value = 0;
  const Type mantissa = static_cast<Type>(__builtin_frexp(x, &value));
  *exponent = value;
  return mantissa;
}

// The sign is that of the gamma function: negative between every other pair of whole numbers below 0, and at -0.
SINTER_REAL_POINTER Type lgamma_r(Type x, Pointer sign) noexcept {
  const bool negative =
      x < Type(0) ? floor(x) != x && detail::parity(floor(x)) < Type(0) : x == Type(0) && __builtin_signbit(x);
  *sign = negative ? -1 : 1;
  return lgamma(x);
}
// Removing 128 y changes neither the rest nor the lower bits of the quotient, which is then small enough to be exact.
SINTER_REAL_POINTER Type remquo(Type x, Type y, Pointer quotient) noexcept {
  const Type rest = remainder(x, y), small = rint((fmod(x, Type(128) * y) - rest) / y);
  *quotient = small == small ? static_cast<int>(small) % 128 : 0;
  return rest;
}

// The code goes where a quiet NaN has room for it.
inline float nan(std::uint32_t code) noexcept { return bit_cast<float>(0x7fc00000u | (code & 0x3fffffu)); }
template <class Type, detail::enable_if<std::is_integral_v<Type> && std::is_unsigned_v<Type> && sizeof(Type) == 8> = 0>
inline double nan(Type code) noexcept {
  return bit_cast<double>(std::uint64_t(0x7ff8000000000000u) | (code & 0x7ffffffffffffu));
}

SINTER_REAL bool isnan(Type x) noexcept { return __builtin_isnan(x); }
SINTER_REAL bool isinf(Type x) noexcept { return __builtin_isinf(x); }
SINTER_REAL bool isfinite(Type x) noexcept { return __builtin_isfinite(x); }
SINTER_REAL bool isnormal(Type x) noexcept { return __builtin_isnormal(x); }
SINTER_REAL bool signbit(Type x) noexcept { return __builtin_signbit(x); }

SINTER_REAL Type degrees(Type radians) noexcept { return radians * (Type(180) / detail::pi<Type>); }
SINTER_REAL Type radians(Type degrees) noexcept { return degrees * (detail::pi<Type> / Type(180)); }
SINTER_REAL Type mix(Type x, Type y, Type a) noexcept { return x + (y - x) * a; }
SINTER_REAL Type step(Type edge, Type x) noexcept { return x < edge ? Type(0) : Type(1); }
SINTER_REAL Type smoothstep(Type edge0, Type edge1, Type x) noexcept {
  const Type t = fmin(fmax((x - edge0) / (edge1 - edge0), Type(0)), Type(1));
  return t * t * (Type(3) - Type(2) * t);
}
SINTER_REAL Type sign(Type x) noexcept {
  return x > Type(0) ? Type(1) : x < Type(0) ? Type(-1) : isnan(x) ? Type(0) : x;
}

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
