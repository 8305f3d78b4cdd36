// How a function on float and double is chosen by its arguments.
//
// Arguments convert as those of a function do. *Invariant:* a call is never ambiguous for numbers
// of C++: where neither float nor double is the better one, the function is on double.
#ifndef SYCL_DETAIL_SCALARS_HPP
#define SYCL_DETAIL_SCALARS_HPP

#include "shapes.hpp"

namespace sycl::detail {

template <class... Number>
inline constexpr bool are_numbers = (... && (std::is_arithmetic_v<Number> && sizeof(Number) <= sizeof(double)));
template <class Type, class... Types> inline constexpr bool are_all = (... && std::is_same_v<Type, Types>);
// The overload for Type: `f(x, y)` has no Choice, `f<float>(x, y)` and `f<float, float>(x, y)` name
// it.
template <class Type, class... Choice> using chosen = enable_if<are_all<Type, Choice...>>;
template <class Type, class... Types> inline constexpr bool is_any = (... || std::is_same_v<Type, Types>);

// The type in which a function computes on numbers of different types, or on integers: float if
// there is one and no double. Without a type if the numbers are all float or all double.
template <class... Number>
using mixed_real =
    std::enable_if_t<are_numbers<Number...> && !are_all<float, Number...> && !are_all<double, Number...>,
                     std::conditional_t<is_any<float, Number...> && !is_any<double, Number...>, float, double>>;
// Of numbers of different types, the type to which C++ converts them.
template <class First, class... Rest>
using mixed_number =
    std::enable_if_t<are_numbers<First, Rest...> && !are_all<First, Rest...>, std::common_type_t<First, Rest...>>;
template <class... None> using nothing_else = std::enable_if_t<sizeof...(None) == 0, int>;

// Defines a function on float and double with one to three arguments. The bodies are on x, y and z.
//
// These are templates so that the C library's function is the better match for the same types: a
// program may say `using namespace sycl` and `sqrt(x)`. The last one is less specialised than the
// C++ library's for numbers of any type, which that call may also mean.
#define SINTER_SCALAR_1(name, result, for_float, for_double)                                                         \
  template <class... Choice, detail::chosen<float, Choice...> = 0> inline result(float) name(float x) noexcept      \
      for_float template <class... Choice, detail::chosen<double, Choice...> = 0>                                   \
      inline result(double) name(double x) noexcept for_double template <                                            \
          int = 0, class First, class... None, class Real = detail::mixed_real<First>,                               \
          detail::nothing_else<None...> = 0>                                                                         \
      inline result(Real) name(First x, None...) noexcept {                                                          \
    return name(static_cast<Real>(x));                                                                               \
  }
#define SINTER_SCALAR_2(name, result, for_float, for_double)                                                         \
  template <class... Choice, detail::chosen<float, Choice...> = 0>                                                  \
  inline result(float) name(float x, float y) noexcept for_float                                                     \
      template <class... Choice, detail::chosen<double, Choice...> = 0>                                             \
      inline result(double) name(double x, double y) noexcept for_double                                             \
      template <int = 0, class First, class Second, class... None, class Real = detail::mixed_real<First, Second>,   \
                detail::nothing_else<None...> = 0>                                                                   \
      inline result(Real) name(First x, Second y, None...) noexcept {                                                \
    return name(static_cast<Real>(x), static_cast<Real>(y));                                                         \
  }
#define SINTER_SCALAR_3(name, result, for_float, for_double)                                                         \
  template <class... Choice, detail::chosen<float, Choice...> = 0>                                                  \
  inline result(float) name(float x, float y, float z) noexcept for_float                                            \
      template <class... Choice, detail::chosen<double, Choice...> = 0>                                             \
      inline result(double) name(double x, double y, double z) noexcept for_double                                   \
      template <int = 0, class First, class Second, class Third, class... None,                                      \
                class Real = detail::mixed_real<First, Second, Third>, detail::nothing_else<None...> = 0>            \
      inline result(Real) name(First x, Second y, Third z, None...) noexcept {                                       \
    return name(static_cast<Real>(x), static_cast<Real>(y), static_cast<Real>(z));                                   \
  }
// The second argument is an int, n.
#define SINTER_SCALAR_WHOLE(name, for_float, for_double)                                                             \
  template <class... Choice, detail::chosen<float, Choice...> = 0> inline float name(float x, int n) noexcept       \
      for_float template <class... Choice, detail::chosen<double, Choice...> = 0>                                   \
      inline double name(double x, int n) noexcept for_double template <                                             \
          int = 0, class First, class... None, class Real = detail::mixed_real<First>,                               \
          detail::nothing_else<None...> = 0>                                                                         \
      inline Real name(First x, int n, None...) noexcept {                                                           \
    return name(static_cast<Real>(x), n);                                                                            \
  }
// Result types of these.
#define SINTER_SAME(type) type
#define SINTER_INT(type) int
#define SINTER_BOOL(type) bool

} // namespace sycl::detail

#endif
