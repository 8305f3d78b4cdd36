// The functions of math.hpp, integer.hpp and relational.hpp on vec, views of its elements and
// marray, element by element.
//
// One macro for each signature shape; the lists are generated from the table of device functions.
// *Invariant:* the function on an element is found where the element type is defined, too: a type
// of numbers brings its own.
#ifndef SYCL_VEC_MATH_HPP
#define SYCL_VEC_MATH_HPP

#include "../detail/function_lists.hpp"
#include "../types/marray.hpp"
#include "../types/vec.hpp"
#include "half_math.hpp"
#include "relational.hpp"

namespace sycl {
namespace detail {

// An operand as the vec or marray of its elements.
template <class Plain, class Operand> constexpr decltype(auto) plain(const Operand &operand) noexcept {
  return element_wise::widen<Plain>(operand);
}
template <class Plain> inline constexpr int length = shape<Plain>::count;
template <class Type> using scalar_of = no_deduction<typename Type::value_type>;
template <class Plain, class Other> using with = typename shape<Plain>::template with<Other>;
template <class Plain> using truth_of = typename shape<Plain>::truth;

} // namespace detail

// Gives all elements of a Result the value of an expression on i.
#define SINTER_EACH(expression, ...)                                                                                 \
  {                                                                                                                  \
    __VA_ARGS__ result;                                                                                              \
    for (int i = 0; i < detail::length<__VA_ARGS__>; ++i)                                                            \
      result[i] = expression;                                                                                        \
    return result;                                                                                                   \
  }
// Functions whose elements fulfil a predicate. `xs`, `ys` and `zs` are the operands as passed, x, y
// and z those by value.
#define SINTER_OF_1(predicate, result, name, parameters)                                                             \
  template <class First, class Plain = detail::common<detail::predicate, First>>                                     \
  constexpr result name parameters noexcept
#define SINTER_OF_2(predicate, result, name, parameters)                                                             \
  template <class First, class Second, class Plain = detail::common<detail::predicate, First, Second>>               \
  constexpr result name parameters noexcept
#define SINTER_OF_3(predicate, result, name, parameters)                                                             \
  template <class First, class Second, class Third,                                                                  \
            class Plain = detail::common<detail::predicate, First, Second, Third>>                                   \
  constexpr result name parameters noexcept
#define SINTER_X decltype(auto) x = detail::plain<Plain>(xs)
#define SINTER_Y decltype(auto) y = detail::plain<Plain>(ys)
#define SINTER_Z decltype(auto) z = detail::plain<Plain>(zs)

#define SINTER_EACH_1(predicate, name)                                                                               \
  SINTER_OF_1(predicate, Plain, name, (const First &xs)) {                                                           \
    SINTER_X;                                                                                                        \
    SINTER_EACH(name(x[i]), Plain)                                                                                   \
  }
#define SINTER_EACH_2(predicate, name)                                                                               \
  SINTER_OF_2(predicate, Plain, name, (const First &xs, const Second &ys)) {                                         \
    SINTER_X;                                                                                                        \
    SINTER_Y;                                                                                                        \
    SINTER_EACH(name(x[i], y[i]), Plain)                                                                             \
  }
#define SINTER_EACH_3(predicate, name)                                                                               \
  SINTER_OF_3(predicate, Plain, name, (const First &xs, const Second &ys, const Third &zs)) {                        \
    SINTER_X;                                                                                                        \
    SINTER_Y;                                                                                                        \
    SINTER_Z;                                                                                                        \
    SINTER_EACH(name(x[i], y[i], z[i]), Plain)                                                                       \
  }
// The second argument is a scalar for all elements.
#define SINTER_EACH_SCALAR(predicate, name)                                                                          \
  SINTER_OF_1(predicate, Plain, name, (const First &xs, const detail::scalar_of<First> &y)) {                         \
    SINTER_X;                                                                                                        \
    SINTER_EACH(name(x[i], y), Plain)                                                                                \
  }
// The second argument is an int, or there is one for each element.
#define SINTER_EACH_INT(name)                                                                                        \
  SINTER_OF_1(real_element, Plain, name, (const First &xs, int k)) {                                                 \
    SINTER_X;                                                                                                        \
    SINTER_EACH(name(x[i], k), Plain)                                                                                \
  }
#define SINTER_EACH_INTEGER(name)                                                                                    \
  template <class First, class Second, class Plain = detail::common<detail::real_element, First>,                    \
            class Whole = detail::common<detail::int_element, Second>,                                               \
            detail::enable_if<std::is_same_v<detail::with<Plain, detail::shape_element<Whole>>, Whole>> = 0>            \
  constexpr Plain name(const First &xs, const Second &ys) noexcept {                                                 \
    SINTER_X;                                                                                                        \
    decltype(auto) y = detail::plain<Whole>(ys);                                                                     \
    SINTER_EACH(name(x[i], y[i]), Plain)                                                                             \
  }
#define SINTER_COMMA ,
#define SINTER_EACH_EXPONENT(name)                                                                                   \
  SINTER_OF_1(real_element, detail::with<Plain SINTER_COMMA int>, name, (const First &xs)) {                         \
    SINTER_X;                                                                                                        \
    SINTER_EACH(name(x[i]), detail::with<Plain, int>)                                                                \
  }
// The second result is stored through `Pointer`, to a vec or marray of these.
#define SINTER_EACH_POINTER(name, ...)                                                                               \
  template <class First, class Pointer, class Plain = detail::common<detail::real_element, First>,                   \
            detail::enable_if<!detail::has_shape<Pointer>> = 0>                                                      \
  constexpr Plain name(const First &xs, Pointer to) noexcept {                                                       \
    SINTER_X;                                                                                                        \
    detail::with<Plain, __VA_ARGS__> other;                                                                          \
    Plain result;                                                                                                    \
    for (int i = 0; i < detail::length<Plain>; ++i)                                                                  \
      result[i] = name(x[i], &other[i]);                                                                             \
    *to = other;                                                                                                     \
    return result;                                                                                                   \
  }
#define SINTER_EACH_SPLIT(name) SINTER_EACH_POINTER(name, typename Plain::value_type)
#define SINTER_EACH_COUNT(name) SINTER_EACH_POINTER(name, int)
#define SINTER_EACH_QUOTIENT(name)                                                                                   \
  template <class First, class Second, class Pointer,                                                                \
            class Plain = detail::common<detail::real_element, First, Second>>                                       \
  constexpr Plain name(const First &xs, const Second &ys, Pointer to) noexcept {                                     \
    SINTER_X;                                                                                                        \
    SINTER_Y;                                                                                                        \
    detail::with<Plain, int> quotients;                                                                              \
    Plain result;                                                                                                    \
    for (int i = 0; i < detail::length<Plain>; ++i)                                                                  \
      result[i] = name(x[i], y[i], &quotients[i]);                                                                   \
    *to = quotients;                                                                                                 \
    return result;                                                                                                   \
  }
// The results are bool, in a vec -1 for true.
#define SINTER_EACH_TEST_1(name)                                                                                     \
  SINTER_OF_1(real_element, detail::truth_of<Plain>, name, (const First &xs)) {                                      \
    SINTER_X;                                                                                                        \
    SINTER_EACH(name(x[i]) ? detail::shape<Plain>::yes : 0, detail::truth_of<Plain>)                                 \
  }
#define SINTER_EACH_TEST_2(name)                                                                                     \
  SINTER_OF_2(real_element, detail::truth_of<Plain>, name, (const First &xs, const Second &ys)) {                    \
    SINTER_X;                                                                                                        \
    SINTER_Y;                                                                                                        \
    SINTER_EACH(name(x[i], y[i]) ? detail::shape<Plain>::yes : 0, detail::truth_of<Plain>)                           \
  }

#define SINTER_EACH_REAL_1(name) SINTER_EACH_1(real_element, name)
#define SINTER_EACH_REAL_2(name) SINTER_EACH_2(real_element, name)
#define SINTER_EACH_REAL_3(name) SINTER_EACH_3(real_element, name)
#define SINTER_EACH_REAL_SCALAR(name) SINTER_EACH_SCALAR(real_element, name)
#define SINTER_EACH_INTEGER_1(name) SINTER_EACH_1(integer_element, name)
#define SINTER_EACH_INTEGER_2(name) SINTER_EACH_2(integer_element, name)
#define SINTER_EACH_INTEGER_3(name) SINTER_EACH_3(integer_element, name)
#define SINTER_EACH_NUMBER_1(name) SINTER_EACH_1(scalar_element, name)
#define SINTER_EACH_NUMBER_2(name) SINTER_EACH_2(scalar_element, name)
#define SINTER_EACH_NUMBER_3(name) SINTER_EACH_3(scalar_element, name)
#define SINTER_EACH_NUMBER_SCALAR(name) SINTER_EACH_SCALAR(scalar_element, name)
#define SINTER_EACH_FLOAT_1(name) SINTER_EACH_1(float_element, name)
#define SINTER_EACH_FLOAT_2(name) SINTER_EACH_2(float_element, name)

SINTER_REAL_UNARY(SINTER_EACH_REAL_1)
SINTER_REAL_BINARY(SINTER_EACH_REAL_2)
SINTER_REAL_TERNARY(SINTER_EACH_REAL_3)
SINTER_REAL_WHOLE(SINTER_EACH_INTEGER)
SINTER_REAL_EXPONENT(SINTER_EACH_EXPONENT)
SINTER_REAL_SPLIT(SINTER_EACH_SPLIT)
SINTER_REAL_COUNT(SINTER_EACH_COUNT)
SINTER_REAL_QUOTIENT(SINTER_EACH_QUOTIENT)
SINTER_REAL_SCALAR_BINARY(SINTER_EACH_REAL_SCALAR)
SINTER_REAL_SCALAR_WHOLE(SINTER_EACH_INT)
SINTER_INTEGER_UNARY(SINTER_EACH_INTEGER_1)
SINTER_INTEGER_BINARY(SINTER_EACH_INTEGER_2)
SINTER_INTEGER_TERNARY(SINTER_EACH_INTEGER_3)
SINTER_NUMBER_UNARY(SINTER_EACH_NUMBER_1)
SINTER_NUMBER_BINARY(SINTER_EACH_NUMBER_2)
SINTER_NUMBER_TERNARY(SINTER_EACH_NUMBER_3)
SINTER_NUMBER_SCALAR_BINARY(SINTER_EACH_NUMBER_SCALAR)
SINTER_TEST_EXPONENT(SINTER_EACH_TEST_1)
SINTER_TEST_COMPARISON(SINTER_EACH_TEST_2)

namespace native {
SINTER_NATIVE_UNARY(SINTER_EACH_FLOAT_1)
SINTER_NATIVE_BINARY(SINTER_EACH_FLOAT_2)
} // namespace native
namespace half_precision {
SINTER_NATIVE_UNARY(SINTER_EACH_FLOAT_1)
SINTER_NATIVE_BINARY(SINTER_EACH_FLOAT_2)
} // namespace half_precision

#define SINTER_ONE const detail::scalar_of<First> &
SINTER_OF_1(scalar_element, Plain, clamp, (const First &xs, SINTER_ONE y, SINTER_ONE z)) {
  SINTER_X;
  SINTER_EACH(clamp(x[i], y, z), Plain)
}
SINTER_OF_2(real_element, Plain, mix, (const First &xs, const Second &ys, SINTER_ONE z)) {
  SINTER_X;
  SINTER_Y;
  SINTER_EACH(mix(x[i], y[i], z), Plain)
}
SINTER_OF_1(real_element, Plain, step, (SINTER_ONE edge, const First &xs)) {
  SINTER_X;
  SINTER_EACH(step(edge, x[i]), Plain)
}
SINTER_OF_1(real_element, Plain, smoothstep, (SINTER_ONE y, SINTER_ONE z, const First &xs)) {
  SINTER_X;
  SINTER_EACH(smoothstep(y, z, x[i]), Plain)
}
// The code of each element becomes the payload of a NaN.
template <class First, class Plain = detail::common<detail::integer_element, First>,
          class Result = detail::with<Plain, decltype(nan(std::declval<typename Plain::value_type>()))>>
constexpr Result nan(const First &xs) noexcept {
  SINTER_X;
  SINTER_EACH(nan(x[i]), Result)
}

template <class First, class Second, class Plain = detail::common<detail::integer_element, First>,
          class Low = detail::common<detail::integer_element, Second>,
          class Unsigned = detail::with<Plain, detail::unsigned_of<detail::shape_element<Plain>>>,
          detail::enable_if<std::is_same_v<Unsigned, Low>> = 0,
          class Result = detail::with<Plain, typename detail::twice<detail::shape_element<Plain>>::type>>
constexpr Result upsample(const First &xs, const Second &ys) noexcept {
  SINTER_X;
  decltype(auto) y = detail::plain<Low>(ys);
  SINTER_EACH(upsample(x[i], y[i]), Result)
}

// An element is chosen by the most significant bit of an integer, or by a bool in an marray.
namespace detail {
template <class Type> constexpr bool is_chosen(Type x) noexcept {
  if constexpr (std::is_same_v<Type, bool>)
    return x;
  else
    return static_cast<std::make_signed_t<Type>>(x) < 0;
}
// True if elements of Choice, of the same size or bool, choose elements of Shape.
template <class Shape, class Choice>
inline constexpr bool chooses =
    std::is_same_v<typename Shape::template with<typename Choice::element>, typename Choice::plain> &&
    (Shape::is_vec ? sizeof(typename Choice::element) == sizeof(typename Shape::element)
                   : std::is_same_v<typename Choice::element, bool>);
// bool for an marray; for a vec 1 for true.
template <class Plain> using vote = std::conditional_t<shape<Plain>::is_vec, int, bool>;
} // namespace detail

SINTER_OF_1(vote_element, detail::vote<Plain>, any, (const First &xs)) {
  SINTER_X;
  bool result = false;
  for (int i = 0; i < detail::length<Plain>; ++i)
    result |= detail::is_chosen(x[i]);
  return result;
}
SINTER_OF_1(vote_element, detail::vote<Plain>, all, (const First &xs)) {
  SINTER_X;
  bool result = true;
  for (int i = 0; i < detail::length<Plain>; ++i)
    result &= detail::is_chosen(x[i]);
  return result;
}
// The elements of y that are chosen by z, else those of x.
template <class First, class Second, class Third, class Plain = detail::common<detail::scalar_element, First, Second>,
          class Choice = detail::common<detail::choice_element, Third>,
          detail::enable_if<detail::chooses<detail::shape<Plain>, detail::shape<Choice>>> = 0>
constexpr Plain select(const First &xs, const Second &ys, const Third &zs) noexcept {
  SINTER_X;
  SINTER_Y;
  decltype(auto) z = detail::plain<Choice>(zs);
  SINTER_EACH(detail::is_chosen(z[i]) ? y[i] : x[i], Plain)
}

#undef SINTER_COMMA
#undef SINTER_EACH
#undef SINTER_EACH_1
#undef SINTER_EACH_2
#undef SINTER_EACH_3
#undef SINTER_EACH_COUNT
#undef SINTER_EACH_EXPONENT
#undef SINTER_EACH_FLOAT_1
#undef SINTER_EACH_FLOAT_2
#undef SINTER_EACH_INT
#undef SINTER_EACH_INTEGER
#undef SINTER_EACH_INTEGER_1
#undef SINTER_EACH_INTEGER_2
#undef SINTER_EACH_INTEGER_3
#undef SINTER_EACH_NUMBER_1
#undef SINTER_EACH_NUMBER_2
#undef SINTER_EACH_NUMBER_3
#undef SINTER_EACH_NUMBER_SCALAR
#undef SINTER_EACH_POINTER
#undef SINTER_EACH_QUOTIENT
#undef SINTER_EACH_REAL_1
#undef SINTER_EACH_REAL_2
#undef SINTER_EACH_REAL_3
#undef SINTER_EACH_REAL_SCALAR
#undef SINTER_EACH_SCALAR
#undef SINTER_EACH_SPLIT
#undef SINTER_EACH_TEST_1
#undef SINTER_EACH_TEST_2
#undef SINTER_OF_1
#undef SINTER_OF_2
#undef SINTER_OF_3
#undef SINTER_ONE
#undef SINTER_X
#undef SINTER_Y
#undef SINTER_Z

} // namespace sycl

#endif
