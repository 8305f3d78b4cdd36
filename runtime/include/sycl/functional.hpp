// Function objects for reductions and group algorithms, and for programs that want them.
//
// With `void` as their type they take what they are called with.
#ifndef SYCL_FUNCTIONAL_HPP
#define SYCL_FUNCTIONAL_HPP

#include "detail/config.hpp"

namespace sycl {

#define SINTER_FUNCTION_OBJECT(name, expression)                                                                     \
  template <class T = void> struct name {                                                                            \
    constexpr T operator()(const T &a, const T &b) const { return expression; }                                      \
  };                                                                                                                 \
  template <> struct name<void> {                                                                                    \
    template <class A, class B> constexpr auto operator()(const A &a, const B &b) const { return expression; }       \
  };

SINTER_FUNCTION_OBJECT(plus, a + b)
SINTER_FUNCTION_OBJECT(multiplies, a *b)
SINTER_FUNCTION_OBJECT(bit_and, a &b)
SINTER_FUNCTION_OBJECT(bit_or, a | b)
SINTER_FUNCTION_OBJECT(bit_xor, a ^ b)
SINTER_FUNCTION_OBJECT(logical_and, a &&b)
SINTER_FUNCTION_OBJECT(logical_or, a || b)
SINTER_FUNCTION_OBJECT(minimum, b < a ? b : a)
SINTER_FUNCTION_OBJECT(maximum, a < b ? b : a)
#undef SINTER_FUNCTION_OBJECT

} // namespace sycl

#endif
