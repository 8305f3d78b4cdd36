// Operators of vec, of views of its elements, and of marray: element by element.
//
// One operand may be a scalar that converts to the element type. *Invariant:* an operator exists if
// the elements have it. The operators are found through the base class of their operands only, so
// that they burden no other type's.
#ifndef SYCL_DETAIL_ELEMENT_OPERATORS_HPP
#define SYCL_DETAIL_ELEMENT_OPERATORS_HPP

#include "shapes.hpp"

namespace sycl::detail::element_wise {

// The base class of Derived; distinct types need no storage inside one another.
template <class Derived> struct operators {};

// The operand as a Plain. A vec is copied as a whole, so that its alignment is known to the
// optimiser, which then loads it by one instruction; an marray may be large.
template <class Plain, class Operand> constexpr decltype(auto) widen(const Operand &operand) noexcept {
  if constexpr (std::is_base_of_v<Plain, Operand> && shape<Plain>::is_vec)
    return Plain(operand);
  else if constexpr (std::is_base_of_v<Plain, Operand>)
    return static_cast<const Plain &>(operand);
  else if constexpr (std::is_convertible_v<const Operand &, typename Plain::value_type> && !has_shape<Operand>)
    return Plain(static_cast<typename Plain::value_type>(operand));
  else if constexpr (std::is_convertible_v<const Operand &, Plain>)
    return static_cast<Plain>(operand);
  else
    return Plain(static_cast<typename Plain::value_type>(operand));
}

template <class Plain, class Operand>
inline constexpr bool widens = std::is_convertible_v<const Operand &, typename Plain::value_type> ||
                               std::is_convertible_v<const Operand &, Plain>;

// The vec or marray on which a binary operator works: that of one operand, to which the other one
// converts, as a whole or to each element. A vec of one element counts as a scalar.
template <class Left, class Right> constexpr auto find_operand() noexcept {
  using left = shape<Left>;
  using right = shape<Right>;
  if constexpr (std::is_same_v<typename left::plain, typename right::plain>) {
    return identity<std::enable_if<left::count != 0, typename left::plain>>();
  } else if constexpr (left::count != 0 && right::count <= 1) {
    return identity<std::enable_if<widens<typename left::plain, Right>, typename left::plain>>();
  } else if constexpr (right::count != 0 && left::count <= 1) {
    return identity<std::enable_if<widens<typename right::plain, Left>, typename right::plain>>();
  } else {
    return identity<std::enable_if<false>>();
  }
}
template <class Left, class Right>
using joined = typename decltype(find_operand<Left, Right>())::type::type;

template <class Type> const Type &value() noexcept;

// True for a vec or marray that is not const, and for a view of elements that may be changed.
template <class Type> inline constexpr bool is_changeable = has_shape<Type> && !std::is_const_v<Type>;
template <class Whole, int... Index> inline constexpr bool is_changeable<swizzled<Whole, Index...>> = false;
template <class Type> inline constexpr bool is_writable_view = false;
template <class Whole, int... Index>
inline constexpr bool is_writable_view<swizzled<Whole, Index...>> = swizzled<Whole, Index...>::sinter_is_writable;

#define SINTER_ASSIGNMENT(op)                                                                                        \
  template <class Left, class Right, enable_if<is_changeable<Left>> = 0,                                             \
            enable_if<std::is_same_v<decltype(value<Left>() op value<Right>()), plain_of<Left>>> = 0>                \
  constexpr Left &operator op##=(Left &left, const Right &right) noexcept {                                          \
    static_cast<plain_of<Left> &>(left) = left op right;                                                             \
    return left;                                                                                                     \
  }                                                                                                                  \
  template <class Left, class Right, enable_if<is_writable_view<Left>> = 0,                                          \
            enable_if<std::is_same_v<decltype(value<Left>() op value<Right>()), plain_of<Left>>> = 0>                \
  constexpr const Left &operator op##=(const Left &left, const Right &right) noexcept {                              \
    return left = left op right;                                                                                     \
  }
#define SINTER_BINARY(op)                                                                                            \
  template <class Left, class Right, class Plain = joined<Left, Right>,                                              \
            class = decltype(value<typename Plain::value_type>() op value<typename Plain::value_type>())>            \
  constexpr Plain operator op(const Left &left, const Right &right) noexcept {                                       \
    decltype(auto) a = widen<Plain>(left);                                                                           \
    decltype(auto) b = widen<Plain>(right);                                                                          \
    Plain result;                                                                                                    \
    for (int i = 0; i < shape<Plain>::count; ++i)                                                                    \
      result[i] = static_cast<typename Plain::value_type>(a[i] op b[i]);                                             \
    return result;                                                                                                   \
  }                                                                                                                  \
  SINTER_ASSIGNMENT(op)
SINTER_BINARY(+)
SINTER_BINARY(-)
SINTER_BINARY(*)
SINTER_BINARY(/)
SINTER_BINARY(%)
SINTER_BINARY(&)
SINTER_BINARY(|)
SINTER_BINARY(^)
SINTER_BINARY(<<)
SINTER_BINARY(>>)
#undef SINTER_BINARY
#undef SINTER_ASSIGNMENT

// The results of a vec are integers of the elements' size, -1 for true; those of an marray are
// bool.
#define SINTER_COMPARISON(op)                                                                                        \
  template <class Left, class Right, class Plain = joined<Left, Right>,                                              \
            class = decltype(value<typename Plain::value_type>() op value<typename Plain::value_type>())>            \
  constexpr typename shape<Plain>::truth operator op(const Left &left, const Right &right) noexcept {                \
    decltype(auto) a = widen<Plain>(left);                                                                           \
    decltype(auto) b = widen<Plain>(right);                                                                          \
    typename shape<Plain>::truth result;                                                                             \
    for (int i = 0; i < shape<Plain>::count; ++i)                                                                    \
      result[i] = (a[i] op b[i]) ? shape<Plain>::yes : 0;                                                            \
    return result;                                                                                                   \
  }
SINTER_COMPARISON(==)
SINTER_COMPARISON(!=)
SINTER_COMPARISON(<)
SINTER_COMPARISON(>)
SINTER_COMPARISON(<=)
SINTER_COMPARISON(>=)
SINTER_COMPARISON(&&)
SINTER_COMPARISON(||)
#undef SINTER_COMPARISON

#define SINTER_PREFIX(op)                                                                                            \
  template <class Operand, class Plain = plain_of<Operand>, class = decltype(op value<shape_element<Operand>>())>       \
  constexpr Plain operator op(const Operand &operand) noexcept {                                                     \
    decltype(auto) a = widen<Plain>(operand);                                                                        \
    Plain result;                                                                                                    \
    for (int i = 0; i < shape<Plain>::count; ++i)                                                                    \
      result[i] = static_cast<typename Plain::value_type>(op a[i]);                                                  \
    return result;                                                                                                   \
  }
SINTER_PREFIX(+)
SINTER_PREFIX(-)
SINTER_PREFIX(~)
#undef SINTER_PREFIX

template <class Operand, class Plain = plain_of<Operand>, class = decltype(!value<shape_element<Operand>>())>
constexpr typename shape<Plain>::truth operator!(const Operand &operand) noexcept {
  decltype(auto) a = widen<Plain>(operand);
  typename shape<Plain>::truth result;
  for (int i = 0; i < shape<Plain>::count; ++i)
    result[i] = !a[i] ? shape<Plain>::yes : 0;
  return result;
}

// Not for bool and byte.
template <class Type> inline constexpr bool is_countable = !std::is_same_v<Type, bool> && !std::is_enum_v<Type>;
#define SINTER_STEP(op)                                                                                              \
  template <class Operand, enable_if<is_changeable<Operand> && is_countable<shape_element<Operand>>> = 0>               \
  constexpr Operand &operator op##op(Operand &operand) noexcept {                                                    \
    return operand op##= shape_element<Operand>(1);                                                                    \
  }                                                                                                                  \
  template <class Operand, enable_if<is_writable_view<Operand> && is_countable<shape_element<Operand>>> = 0>            \
  constexpr const Operand &operator op##op(const Operand &operand) noexcept {                                        \
    return operand op##= shape_element<Operand>(1);                                                                    \
  }                                                                                                                  \
  template <class Operand, enable_if<is_changeable<Operand> && is_countable<shape_element<Operand>>> = 0>               \
  constexpr plain_of<Operand> operator op##op(Operand &operand, int) noexcept {                                      \
    const plain_of<Operand> before = operand;                                                                        \
    op##op operand;                                                                                                  \
    return before;                                                                                                   \
  }                                                                                                                  \
  template <class Operand, enable_if<is_writable_view<Operand> && is_countable<shape_element<Operand>>> = 0>            \
  constexpr plain_of<Operand> operator op##op(const Operand &operand, int) noexcept {                                \
    const plain_of<Operand> before = operand;                                                                        \
    op##op operand;                                                                                                  \
    return before;                                                                                                   \
  }
SINTER_STEP(+)
SINTER_STEP(-)
#undef SINTER_STEP

} // namespace sycl::detail::element_wise

#endif
