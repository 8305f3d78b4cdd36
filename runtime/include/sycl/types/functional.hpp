// Function objects for reductions, group algorithms and programs, and their identities.
//
// With `void` as their type they accept any arguments. Reductions and group algorithms also accept
// std::plus and the equivalent function objects of the standard library. A program may specialise
// known_identity and has_known_identity for its own types.
#ifndef SYCL_FUNCTIONAL_HPP
#define SYCL_FUNCTIONAL_HPP

#include "../detail/config.hpp"

#if __has_include(<bits/stl_function.h>)
#include <bits/stl_function.h> // in libstdc++, a tenth of <functional>'s compile time
#else
#include <functional>
#endif

namespace sycl {
namespace detail {

// The first of two values if it is chosen: as a whole, or by element if the choice is a vec or
// marray.
template <class Choice, class First, class Second>
constexpr auto choose(const Choice &choice, const First &first, const Second &second) {
  if constexpr (std::is_convertible_v<Choice, bool>) {
    return choice ? first : second;
  } else {
    std::decay_t<decltype(true ? first : second)> chosen = second;
    for (std::size_t n = 0; n < Choice::size(); ++n)
      if (choice[n])
        chosen[n] = first[n];
    return chosen;
  }
}

} // namespace detail

#define SINTER_FUNCTION_OBJECT(name, expression)                                                                     \
  template <class Type = void> struct name {                                                                         \
    constexpr Type operator()(const Type &a, const Type &b) const { return expression; }                             \
  };                                                                                                                 \
  template <> struct name<void> {                                                                                    \
    template <class Left, class Right> constexpr auto operator()(const Left &a, const Right &b) const {              \
      return expression;                                                                                             \
    }                                                                                                                \
  };

SINTER_FUNCTION_OBJECT(plus, a + b)
SINTER_FUNCTION_OBJECT(multiplies, a *b)
SINTER_FUNCTION_OBJECT(bit_and, a &b)
SINTER_FUNCTION_OBJECT(bit_or, a | b)
SINTER_FUNCTION_OBJECT(bit_xor, a ^ b)
SINTER_FUNCTION_OBJECT(logical_and, a &&b)
SINTER_FUNCTION_OBJECT(logical_or, a || b)
SINTER_FUNCTION_OBJECT(minimum, detail::choose(b < a, b, a))
SINTER_FUNCTION_OBJECT(maximum, detail::choose(a < b, b, a))
#undef SINTER_FUNCTION_OBJECT

namespace detail {

template <class Type> inline constexpr bool is_combinable = std::is_arithmetic_v<Type> || is_short_float<Type>;

template <class Type> constexpr Type greatest() noexcept {
  if constexpr (std::is_floating_point_v<Type> || is_short_float<Type>)
    return static_cast<Type>(__builtin_inf());
  else if constexpr (std::is_same_v<Type, bool>)
    return true;
  else if constexpr (std::is_signed_v<Type>)
    return static_cast<Type>((1ull << (sizeof(Type) * 8 - 1)) - 1);
  else
    return static_cast<Type>(~0ull);
}
template <class Type> constexpr Type least() noexcept {
  if constexpr (std::is_floating_point_v<Type> || is_short_float<Type>)
    return -greatest<Type>();
  else
    return static_cast<Type>(~greatest<Type>());
}
template <> constexpr bool least<bool>() noexcept { return false; }

// Identities by operation and type. Without an identity the struct has no `value`.
template <class Operation, class Type, class = void> struct identity_of {};
#define SINTER_IDENTITY(name, condition, expression)                                                                 \
  template <class Type> struct identity_of<name<Type>, Type, std::enable_if_t<condition>> {                          \
    static constexpr Type value = static_cast<Type>(expression);                                                     \
  };                                                                                                                 \
  template <class Type> struct identity_of<name<void>, Type, std::enable_if_t<condition>> {                          \
    static constexpr Type value = static_cast<Type>(expression);                                                     \
  };
#define SINTER_IDENTITIES(name, condition, expression)                                                               \
  SINTER_IDENTITY(sycl::name, condition, expression)                                                                 \
  SINTER_IDENTITY(std::name, condition, expression)
SINTER_IDENTITIES(plus, is_combinable<Type>, 0)
SINTER_IDENTITIES(multiplies, is_combinable<Type>, 1)
SINTER_IDENTITIES(bit_and, std::is_integral_v<Type>, ~0ull)
SINTER_IDENTITIES(bit_or, std::is_integral_v<Type>, 0)
SINTER_IDENTITIES(bit_xor, std::is_integral_v<Type>, 0)
SINTER_IDENTITIES(logical_and, (std::is_same_v<Type, bool>), true)
SINTER_IDENTITIES(logical_or, (std::is_same_v<Type, bool>), false)
SINTER_IDENTITY(minimum, is_combinable<Type>, greatest<Type>())
SINTER_IDENTITY(maximum, is_combinable<Type>, least<Type>())
#undef SINTER_IDENTITIES
#undef SINTER_IDENTITY

template <class Identity, class = void> struct has_value : std::false_type {};
template <class Identity> struct has_value<Identity, std::void_t<decltype(Identity::value)>> : std::true_type {};

} // namespace detail

template <class Operation, class Type>
struct known_identity : detail::identity_of<Operation, std::remove_cv_t<Type>> {};
template <class Operation, class Type>
struct has_known_identity : detail::has_value<detail::identity_of<Operation, std::remove_cv_t<Type>>> {};
template <class Operation, class Type> inline constexpr Type known_identity_v = known_identity<Operation, Type>::value;
template <class Operation, class Type>
inline constexpr bool has_known_identity_v = has_known_identity<Operation, Type>::value;

// The extension that became these names in SYCL 2020.
namespace ext::oneapi {
using sycl::bit_and;
using sycl::bit_or;
using sycl::bit_xor;
using sycl::maximum;
using sycl::minimum;
using sycl::multiplies;
using sycl::plus;
} // namespace ext::oneapi

} // namespace sycl

#endif
