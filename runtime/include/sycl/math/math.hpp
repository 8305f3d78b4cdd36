// Floating-point functions on float and double.
//
// The lists of functions are generated from the table of device functions. The C library's
// functions are in c_math.hpp. Others are builtins in device code and those of host_math.hpp in
// host code. The few without either are defined here.
#ifndef SYCL_MATH_HPP
#define SYCL_MATH_HPP

#include "../types/bit_cast.hpp"
#include "../detail/builtins.hpp"
#include "../detail/host_math.hpp"

namespace sycl {

// Calls the builtin in device code.
#define SINTER_CALL(suffix, name, ...)                                                                               \
  {                                                                                                                  \
    return __acpp_sscp_is_host ? detail::host_code::name(__VA_ARGS__) : __acpp_sscp_##name##_##suffix(__VA_ARGS__);  \
  }
#define SINTER_BUILTIN_1(name)                                                                                       \
  SINTER_SCALAR_1(name, SINTER_SAME, SINTER_CALL(f32, name, x), SINTER_CALL(f64, name, x))
#define SINTER_BUILTIN_2(name)                                                                                       \
  SINTER_SCALAR_2(name, SINTER_SAME, SINTER_CALL(f32, name, x, y), SINTER_CALL(f64, name, x, y))
#define SINTER_BUILTIN_3(name)                                                                                       \
  SINTER_SCALAR_3(name, SINTER_SAME, SINTER_CALL(f32, name, x, y, z), SINTER_CALL(f64, name, x, y, z))
#define SINTER_BUILTIN_N(name)                                                                                       \
  SINTER_SCALAR_WHOLE(name, SINTER_CALL(f32, name, x, n), SINTER_CALL(f64, name, x, n))
// The second result is stored through `Pointer`, to a `second`.
#define SINTER_BUILTIN_POINTER(name, suffix, type, second)                                                           \
  template <class Pointer> inline type name(type x, Pointer to) noexcept {                                           \
    second other = 0;                                                                                                \
    const type result =                                                                                              \
        __acpp_sscp_is_host ? detail::host_code::name(x, &other) : __acpp_sscp_##name##_##suffix(x, &other);         \
    *to = other;                                                                                                     \
    return result;                                                                                                   \
  }
#define SINTER_BUILTIN_TYPE(name)                                                                                    \
  SINTER_BUILTIN_POINTER(name, f32, float, float) SINTER_BUILTIN_POINTER(name, f64, double, double)
#define SINTER_BUILTIN_INT(name)                                                                                     \
  SINTER_BUILTIN_POINTER(name, f32, float, int) SINTER_BUILTIN_POINTER(name, f64, double, int)
#define SINTER_TEST(name)                                                                                            \
  SINTER_SCALAR_1(name, SINTER_BOOL, { return __builtin_##name(x); }, { return __builtin_##name(x); })

SINTER_BUILTIN_UNARY(SINTER_BUILTIN_1)
SINTER_BUILTIN_BINARY(SINTER_BUILTIN_2)
SINTER_BUILTIN_TERNARY(SINTER_BUILTIN_3)
SINTER_BUILTIN_WHOLE(SINTER_BUILTIN_N)
SINTER_BUILTIN_SPLIT(SINTER_BUILTIN_TYPE)
SINTER_BUILTIN_COUNT(SINTER_BUILTIN_INT)
SINTER_CLASS_EXPONENT(SINTER_TEST)

SINTER_SCALAR_1(tanpi, SINTER_SAME, { return sinpi(x) / cospi(x); }, { return sinpi(x) / cospi(x); })

namespace detail {

template <class Type, class Pointer> inline Type sincos(Type x, Pointer cosine) noexcept {
  *cosine = cos(x);
  return sin(x);
}
// Subtracting multiples of 128 y changes neither the remainder nor the lower bits of the quotient,
// which is then small enough to be exact.
template <class Type, class Pointer> inline Type remquo(Type x, Type y, Pointer quotient) noexcept {
  const Type rest = remainder(x, y), small = rint((fmod(x, Type(128) * y) - rest) / y);
  *quotient = small == small ? static_cast<int>(small) % 128 : 0;
  return rest;
}

} // namespace detail

#define SINTER_POINTER_FUNCTIONS(type)                                                                               \
  template <class Pointer> inline type sincos(type x, Pointer cosine) noexcept {                                     \
    return detail::sincos(x, cosine);                                                                                \
  }                                                                                                                  \
  template <class Pointer> inline type remquo(type x, type y, Pointer quotient) noexcept {                           \
    return detail::remquo(x, y, quotient);                                                                           \
  }
SINTER_POINTER_FUNCTIONS(float)
SINTER_POINTER_FUNCTIONS(double)
#undef SINTER_POINTER_FUNCTIONS

// The code becomes the payload of a quiet NaN. Not templates, because objects convert to the code.
inline float nan(std::uint32_t code) noexcept { return bit_cast<float>(0x7fc00000u | (code & 0x3fffffu)); }
inline float nan(int code) noexcept { return nan(static_cast<std::uint32_t>(code)); }
inline double nan(unsigned long code) noexcept {
  return bit_cast<double>(std::uint64_t(0x7ff8000000000000u) | (code & 0x7ffffffffffffu));
}
inline double nan(unsigned long long code) noexcept { return nan(static_cast<unsigned long>(code)); }

namespace detail {

template <class Type> inline Type degrees(Type x) noexcept { return x * (Type(180) / host_code::pi<Type>); }
template <class Type> inline Type radians(Type x) noexcept { return x * (host_code::pi<Type> / Type(180)); }
template <class Type> inline Type mix(Type x, Type y, Type a) noexcept { return x + (y - x) * a; }
template <class Type> inline Type step(Type edge, Type x) noexcept { return x < edge ? Type(0) : Type(1); }
template <class Type> inline Type smoothstep(Type edge0, Type edge1, Type x) noexcept {
  const Type t = fmin(fmax((x - edge0) / (edge1 - edge0), Type(0)), Type(1));
  return t * t * (Type(3) - Type(2) * t);
}
template <class Type> inline Type sign(Type x) noexcept {
  return x > Type(0) ? Type(1) : x < Type(0) ? Type(-1) : x != x ? Type(0) : x;
}

} // namespace detail

#define SINTER_COMMON_1(name)                                                                                        \
  SINTER_SCALAR_1(name, SINTER_SAME, { return detail::name(x); }, { return detail::name(x); })
#define SINTER_COMMON_2(name)                                                                                        \
  SINTER_SCALAR_2(name, SINTER_SAME, { return detail::name(x, y); }, { return detail::name(x, y); })
#define SINTER_COMMON_3(name)                                                                                        \
  SINTER_SCALAR_3(name, SINTER_SAME, { return detail::name(x, y, z); }, { return detail::name(x, y, z); })
SINTER_COMMON_1(degrees)
SINTER_COMMON_1(radians)
SINTER_COMMON_1(sign)
SINTER_COMMON_2(step)
SINTER_COMMON_3(mix)
SINTER_COMMON_3(smoothstep)
#undef SINTER_COMMON_1
#undef SINTER_COMMON_2
#undef SINTER_COMMON_3

#undef SINTER_TEST
#undef SINTER_BUILTIN_INT
#undef SINTER_BUILTIN_TYPE
#undef SINTER_BUILTIN_POINTER
#undef SINTER_BUILTIN_N
#undef SINTER_BUILTIN_3
#undef SINTER_BUILTIN_2
#undef SINTER_BUILTIN_1
#undef SINTER_CALL

// Functions of unspecified accuracy, and those with an error of up to 8192 units in the last place:
// in device code native instructions, if they are accurate enough; in host code the ordinary
// functions.
#define SINTER_NATIVE(name, ...)                                                                                     \
  {                                                                                                                  \
    return __acpp_sscp_is_host ? detail::host_code::name(__VA_ARGS__) : __acpp_sscp_native_##name##_f32(__VA_ARGS__);\
  }
#define SINTER_NATIVE_1(name)                                                                                        \
  template <class... Choice, detail::chosen<float, Choice...> = 0>                                                  \
  inline float name(float x) noexcept SINTER_NATIVE(name, x)
#define SINTER_NATIVE_2(name)                                                                                        \
  template <class... Choice, detail::chosen<float, Choice...> = 0>                                                  \
  inline float name(float x, float y) noexcept SINTER_NATIVE(name, x, y)
#define SINTER_HALF(name) using native::name;
#define SINTER_HALF_1(name)                                                                                          \
  template <class... Choice, detail::chosen<float, Choice...> = 0> inline float name(float x) noexcept {            \
    return sycl::name(x);                                                                                            \
  }
#define SINTER_HALF_2(name)                                                                                          \
  template <class... Choice, detail::chosen<float, Choice...> = 0> inline float name(float x, float y) noexcept {   \
    return sycl::name(x, y);                                                                                         \
  }

namespace native {
SINTER_NATIVE_UNARY(SINTER_NATIVE_1)
SINTER_NATIVE_BINARY(SINTER_NATIVE_2)
} // namespace native
// Instructions for angles, logarithms and powers have an absolute error, which is too large if the
// result is small.
namespace half_precision {
SINTER_HALF_NATIVE(SINTER_HALF)
SINTER_HALF_UNARY(SINTER_HALF_1)
SINTER_HALF_BINARY(SINTER_HALF_2)
} // namespace half_precision

#undef SINTER_HALF_2
#undef SINTER_HALF_1
#undef SINTER_HALF
#undef SINTER_NATIVE_2
#undef SINTER_NATIVE_1
#undef SINTER_NATIVE

} // namespace sycl

#endif
