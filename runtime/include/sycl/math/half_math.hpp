// The functions of math.hpp, integer.hpp, relational.hpp and geometric.hpp on half.
//
// The rule is the function on float, rounded once more: its error is then hardly above half a unit
// in the last place, and exact functions stay exact. The optimiser turns those that the target has
// for half into its instructions. Functions of which that is not true are no templates here, and
// so the better match.
#ifndef SYCL_HALF_MATH_HPP
#define SYCL_HALF_MATH_HPP

#include "../types/half.hpp"
#include "integer.hpp"
#include "math.hpp"
#include "relational.hpp"

namespace sycl {

#define SINTER_F32(x) static_cast<float>(x)
#define SINTER_HALF_FUNCTION template <class... Choice, detail::chosen<half, Choice...> = 0> inline
#define SINTER_HALF_1(name)                                                                                          \
  SINTER_HALF_FUNCTION half name(half x) noexcept { return sycl::name(SINTER_F32(x)); }
#define SINTER_HALF_2(name)                                                                                          \
  SINTER_HALF_FUNCTION half name(half x, half y) noexcept { return sycl::name(SINTER_F32(x), SINTER_F32(y)); }
#define SINTER_HALF_3(name)                                                                                          \
  SINTER_HALF_FUNCTION half name(half x, half y, half z) noexcept {                                                  \
    return sycl::name(SINTER_F32(x), SINTER_F32(y), SINTER_F32(z));                                                  \
  }
#define SINTER_HALF_WHOLE(name)                                                                                      \
  SINTER_HALF_FUNCTION half name(half x, int n) noexcept { return sycl::name(SINTER_F32(x), n); }
#define SINTER_HALF_EXPONENT(name)                                                                                   \
  SINTER_HALF_FUNCTION int name(half x) noexcept { return sycl::name(SINTER_F32(x)); }
#define SINTER_HALF_TEST(name)                                                                                       \
  SINTER_HALF_FUNCTION bool name(half x) noexcept { return sycl::name(SINTER_F32(x)); }
#define SINTER_HALF_COMPARISON(name)                                                                                 \
  inline bool name(half x, half y) noexcept { return sycl::name(SINTER_F32(x), SINTER_F32(y)); }
// The second result is stored through `Pointer`.
#define SINTER_HALF_POINTER(second, call, ...)                                                                       \
  template <class Pointer> inline half call noexcept {                                                               \
    second other = 0;                                                                                                \
    const half result = sycl::__VA_ARGS__;                                                                           \
    *to = other;                                                                                                     \
    return result;                                                                                                   \
  }
#define SINTER_HALF_SPLIT(name) SINTER_HALF_POINTER(float, name(half x, Pointer to), name(SINTER_F32(x), &other))
#define SINTER_HALF_COUNT(name) SINTER_HALF_POINTER(int, name(half x, Pointer to), name(SINTER_F32(x), &other))

SINTER_C_LIBRARY_UNARY(SINTER_HALF_1)
SINTER_C_LIBRARY_BINARY(SINTER_HALF_2)
SINTER_C_LIBRARY_WHOLE(SINTER_HALF_WHOLE)
SINTER_C_LIBRARY_EXPONENT(SINTER_HALF_EXPONENT)
SINTER_BUILTIN_UNARY(SINTER_HALF_1)
SINTER_BUILTIN_BINARY(SINTER_HALF_2)
SINTER_BUILTIN_WHOLE(SINTER_HALF_WHOLE)
SINTER_BUILTIN_COUNT(SINTER_HALF_COUNT)
SINTER_HALF_SPLIT(modf)
SINTER_HALF_SPLIT(sincos)
SINTER_HALF_POINTER(int, remquo(half x, half y, Pointer to), remquo(SINTER_F32(x), SINTER_F32(y), &other))
SINTER_CLASS_EXPONENT(SINTER_HALF_TEST)
SINTER_HALF_1(tanpi)
SINTER_HALF_1(degrees)
SINTER_HALF_1(radians)
SINTER_HALF_1(sign)
SINTER_HALF_2(step)
SINTER_HALF_3(mix)
SINTER_HALF_3(smoothstep)
SINTER_HALF_COMPARISON(isequal)
SINTER_HALF_COMPARISON(isnotequal)
SINTER_HALF_COMPARISON(isgreater)
SINTER_HALF_COMPARISON(isgreaterequal)
SINTER_HALF_COMPARISON(isless)
SINTER_HALF_COMPARISON(islessequal)
SINTER_HALF_COMPARISON(islessgreater)
SINTER_HALF_COMPARISON(isordered)
SINTER_HALF_COMPARISON(isunordered)

#undef SINTER_HALF_COUNT
#undef SINTER_HALF_SPLIT
#undef SINTER_HALF_POINTER
#undef SINTER_HALF_COMPARISON
#undef SINTER_HALF_TEST
#undef SINTER_HALF_EXPONENT
#undef SINTER_HALF_WHOLE
#undef SINTER_HALF_3
#undef SINTER_HALF_2
#undef SINTER_HALF_1
#undef SINTER_F32
#undef SINTER_HALF_FUNCTION

// Rounded once.
inline half fma(half x, half y, half z) noexcept {
  return detail::fused_f16(static_cast<detail::f16>(x), static_cast<detail::f16>(y), static_cast<detail::f16>(z));
}
inline half mad(half x, half y, half z) noexcept { return fma(x, y, z); }

namespace detail {

constexpr std::uint16_t bits_of(half x) noexcept { return bit_cast<std::uint16_t>(x); }
constexpr half half_of(unsigned bits) noexcept { return bit_cast<half>(static_cast<std::uint16_t>(bits)); }

} // namespace detail

constexpr half fabs(half x) noexcept { return detail::half_of(detail::bits_of(x) & 0x7fffu); }
constexpr half abs(half x) noexcept { return fabs(x); }
constexpr half copysign(half x, half y) noexcept {
  return detail::half_of((detail::bits_of(x) & 0x7fffu) | (detail::bits_of(y) & 0x8000u));
}
constexpr bool signbit(half x) noexcept { return detail::bits_of(x) >> 15 != 0; }
constexpr bool isnormal(half x) noexcept {
  const unsigned exponent = detail::bits_of(x) >> 10 & 31u;
  return exponent != 0 && exponent != 31;
}
// Positive numbers are ordered as their bits are.
constexpr half nextafter(half x, half y) noexcept {
  const unsigned bits = detail::bits_of(x);
  if (!(x < y || x > y))
    return x == y ? y : half(x + y);
  if ((bits & 0x7fffu) == 0)
    return detail::half_of((detail::bits_of(y) & 0x8000u) | 1u);
  return detail::half_of((x < y) == (bits < 0x8000u) ? bits + 1 : bits - 1);
}
// A small negative x would round to 1.
template <class Pointer> inline half fract(half x, Pointer whole) noexcept {
  float below = 0;
  const half result = sycl::fract(static_cast<float>(x), &below);
  *whole = below;
  return result < 1.0f || isnan(result) ? result : detail::half_of(0x3bffu);
}
// The code becomes the payload of a quiet NaN.
constexpr half nan(std::uint16_t code) noexcept { return detail::half_of(0x7e00u | (code & 0x1ffu)); }

constexpr half min(half x, half y) noexcept { return y < x ? y : x; }
constexpr half max(half x, half y) noexcept { return x < y ? y : x; }
constexpr half clamp(half x, half lowest, half highest) noexcept { return min(max(x, lowest), highest); }
constexpr half select(half a, half b, bool c) noexcept { return c ? b : a; }
constexpr half bitselect(half a, half b, half c) noexcept {
  return detail::half_of((detail::bits_of(a) & ~detail::bits_of(c)) | (detail::bits_of(b) & detail::bits_of(c)));
}

inline half dot(half x, half y) noexcept { return x * y; }
inline half length(half x) noexcept { return fabs(x); }
inline half distance(half x, half y) noexcept { return fabs(half(x - y)); }
inline half normalize(half x) noexcept { return x == 0 || isnan(x) ? x : copysign(half(1.0f), x); }
// In half the sum of squares would be infinite from 256 on.
template <int Length> half length(const vec<half, Length> &x) noexcept { return length(x.template convert<float>()); }
template <int Length> half distance(const vec<half, Length> &x, const vec<half, Length> &y) noexcept {
  return length(x.template convert<float>() - y.template convert<float>());
}
template <int Length> vec<half, Length> normalize(const vec<half, Length> &x) noexcept {
  return normalize(x.template convert<float>()).template convert<half>();
}

} // namespace sycl

#endif
