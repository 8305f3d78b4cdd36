// Relational functions on scalars: comparisons, and selections by a condition or by bits.
#ifndef SYCL_RELATIONAL_HPP
#define SYCL_RELATIONAL_HPP

#include "integer.hpp"
#include "math.hpp"

namespace sycl {

#define SINTER_COMPARISON(name, expression)                                                                          \
  inline bool name(float x, float y) noexcept { return expression; }                                                 \
  inline bool name(double x, double y) noexcept { return expression; }
SINTER_COMPARISON(isequal, x == y)
SINTER_COMPARISON(isnotequal, x != y)
SINTER_COMPARISON(isgreater, x > y)
SINTER_COMPARISON(isgreaterequal, x >= y)
SINTER_COMPARISON(isless, x < y)
SINTER_COMPARISON(islessequal, x <= y)
SINTER_COMPARISON(islessgreater, x < y || x > y)
SINTER_COMPARISON(isordered, x == x && y == y)
SINTER_COMPARISON(isunordered, x != x || y != y)
#undef SINTER_COMPARISON

// True if the most significant bit is set.
template <class Type, detail::enable_if<detail::is_integer<Type> && std::is_signed_v<Type>> = 0>
constexpr bool any(Type x) noexcept {
  return x < 0;
}
template <class Type, detail::enable_if<detail::is_integer<Type> && std::is_signed_v<Type>> = 0>
constexpr bool all(Type x) noexcept {
  return x < 0;
}

template <class Type, detail::enable_if<std::is_arithmetic_v<Type>> = 0>
constexpr Type select(Type a, Type b, bool c) noexcept {
  return c ? b : a;
}

namespace detail {

// Integers of a size in bytes: the result of comparing vectors, and the bits of a number.
template <std::size_t Size> struct mask;
template <> struct mask<1> { using type = std::int8_t; };
template <> struct mask<2> { using type = std::int16_t; };
template <> struct mask<4> { using type = std::int32_t; };
template <> struct mask<8> { using type = std::int64_t; };

} // namespace detail

// The bits of b where c has ones, else those of a.
template <class Type, detail::enable_if<std::is_arithmetic_v<Type>> = 0>
constexpr Type bitselect(Type a, detail::no_deduction<Type> b, detail::no_deduction<Type> c) noexcept {
  using bits = typename detail::mask<sizeof(Type)>::type;
  const bits choice = bit_cast<bits>(c);
  return bit_cast<Type>(static_cast<bits>((bit_cast<bits>(a) & ~choice) | (bit_cast<bits>(b) & choice)));
}

} // namespace sycl

#endif
