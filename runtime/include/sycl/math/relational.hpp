// Relational functions on scalars: comparisons, and selections by a condition or by bits.
#ifndef SYCL_RELATIONAL_HPP
#define SYCL_RELATIONAL_HPP

#include "integer.hpp"
#include "math.hpp"

namespace sycl {

#define SINTER_COMPARISON(name, expression)                                                                          \
  SINTER_SCALAR_2(name, SINTER_BOOL, { return expression; }, { return expression; })
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

template <class Type, detail::enable_if<detail::is_scalar_type<Type>> = 0>
constexpr Type select(Type a, Type b, bool c) noexcept {
  return c ? b : a;
}

// The bits of b where c has ones, else those of a.
template <class Type, class... Same,
          detail::enable_if<detail::is_scalar_type<Type> && detail::are_all<Type, Same...>> = 0>
constexpr Type bitselect(Type a, detail::no_deduction<Type> b, detail::no_deduction<Type> c) noexcept {
  using bits = typename detail::mask<sizeof(Type)>::type;
  const bits choice = bit_cast<bits>(c);
  return bit_cast<Type>(static_cast<bits>((bit_cast<bits>(a) & ~choice) | (bit_cast<bits>(b) & choice)));
}

} // namespace sycl

#endif
