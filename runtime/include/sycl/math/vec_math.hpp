// The functions of math.hpp, integer.hpp and relational.hpp on vec, element by element.
//
// One macro for each signature shape; the lists are generated from the table of device functions.
#ifndef SYCL_VEC_MATH_HPP
#define SYCL_VEC_MATH_HPP

#include "../detail/function_lists.hpp"
#include "../types/vec.hpp"
#include "half_math.hpp"

namespace sycl {

#define SINTER_EACH(expression, ...)                                                                                 \
  {                                                                                                                  \
    __VA_ARGS__ result;                                                                                              \
    for (int i = 0; i < Length; ++i)                                                                                 \
      result[i] = expression;                                                                                        \
    return result;                                                                                                   \
  }
#define SINTER_ELEMENTS template <class Type, int Length> constexpr
#define SINTER_V vec<Type, Length>
#define SINTER_X const vec<Type, Length> &x
#define SINTER_XY SINTER_X, const vec<Type, Length> &y
#define SINTER_XYZ SINTER_XY, const vec<Type, Length> &z
#define SINTER_ONE detail::no_deduction<Type>
#define SINTER_INTS vec<std::int32_t, Length>
#define SINTER_MASK typename vec<Type, Length>::mask_type

#define SINTER_VEC_1(name) SINTER_ELEMENTS SINTER_V name(SINTER_X) noexcept SINTER_EACH(sycl::name(x[i]), SINTER_V)
#define SINTER_VEC_2(name)                                                                                           \
  SINTER_ELEMENTS SINTER_V name(SINTER_XY) noexcept SINTER_EACH(sycl::name(x[i], y[i]), SINTER_V)
#define SINTER_VEC_3(name)                                                                                           \
  SINTER_ELEMENTS SINTER_V name(SINTER_XYZ) noexcept SINTER_EACH(sycl::name(x[i], y[i], z[i]), SINTER_V)
// The second argument may be a scalar for all elements.
#define SINTER_VEC_SCALAR(name)                                                                                      \
  SINTER_ELEMENTS SINTER_V name(SINTER_X, const SINTER_ONE &y) noexcept SINTER_EACH(sycl::name(x[i], y), SINTER_V)
// The second argument is a vector of integers.
#define SINTER_VEC_INTEGER(name)                                                                                     \
  SINTER_ELEMENTS SINTER_V name(SINTER_X, const SINTER_INTS &y) noexcept SINTER_EACH(sycl::name(x[i], y[i]), SINTER_V)
#define SINTER_VEC_INT(name)                                                                                         \
  SINTER_ELEMENTS SINTER_V name(SINTER_X, int k) noexcept SINTER_EACH(sycl::name(x[i], k), SINTER_V)
#define SINTER_VEC_EXPONENT(name)                                                                                    \
  SINTER_ELEMENTS SINTER_INTS name(SINTER_X) noexcept SINTER_EACH(sycl::name(x[i]), SINTER_INTS)
// The second result is stored through `Pointer`, to a vector of these.
#define SINTER_VEC_POINTER(name, second, parameters, ...)                                                            \
  template <class Type, int Length, class Pointer> constexpr SINTER_V name(parameters, Pointer to) noexcept {        \
    vec<second, Length> other;                                                                                       \
    SINTER_V result;                                                                                                 \
    for (int i = 0; i < Length; ++i)                                                                                 \
      result[i] = sycl::name(__VA_ARGS__, &other[i]);                                                                \
    *to = other;                                                                                                     \
    return result;                                                                                                   \
  }
#define SINTER_VEC_SPLIT(name) SINTER_VEC_POINTER(name, Type, SINTER_X, x[i])
#define SINTER_VEC_COUNT(name) SINTER_VEC_POINTER(name, std::int32_t, SINTER_X, x[i])
#define SINTER_VEC_QUOTIENT(name) SINTER_VEC_POINTER(name, std::int32_t, SINTER_XY, x[i], y[i])
// The results are -1 for true.
#define SINTER_VEC_TEST_1(name)                                                                                      \
  SINTER_ELEMENTS SINTER_MASK name(SINTER_X) noexcept SINTER_EACH(sycl::name(x[i]) ? -1 : 0, SINTER_MASK)
#define SINTER_VEC_TEST_2(name)                                                                                      \
  SINTER_ELEMENTS SINTER_MASK name(SINTER_XY) noexcept SINTER_EACH(sycl::name(x[i], y[i]) ? -1 : 0, SINTER_MASK)
// Functions for float only.
#define SINTER_FLOAT_1(scope, name)                                                                                  \
  template <int Length> vec<float, Length> name(const vec<float, Length> &x) noexcept                                \
      SINTER_EACH(scope::name(x[i]), vec<float, Length>)
#define SINTER_FLOAT_2(scope, name)                                                                                  \
  template <int Length> vec<float, Length> name(const vec<float, Length> &x, const vec<float, Length> &y) noexcept   \
      SINTER_EACH(scope::name(x[i], y[i]), vec<float, Length>)

SINTER_VECTOR_UNARY(SINTER_VEC_1)
SINTER_VECTOR_BINARY(SINTER_VEC_2)
SINTER_VECTOR_TERNARY(SINTER_VEC_3)
SINTER_VECTOR_WHOLE(SINTER_VEC_INTEGER)
SINTER_VECTOR_EXPONENT(SINTER_VEC_EXPONENT)
SINTER_VECTOR_SPLIT(SINTER_VEC_SPLIT)
SINTER_VECTOR_COUNT(SINTER_VEC_COUNT)
SINTER_VECTOR_QUOTIENT(SINTER_VEC_QUOTIENT)
SINTER_VECTOR_SCALAR_BINARY(SINTER_VEC_SCALAR)
SINTER_VECTOR_SCALAR_WHOLE(SINTER_VEC_INT)
SINTER_VECTOR_TEST_EXPONENT(SINTER_VEC_TEST_1)
SINTER_VECTOR_TEST_COMPARISON(SINTER_VEC_TEST_2)

template <class Type, int Length, class Result = decltype(sycl::nan(Type()))>
vec<Result, Length> nan(const vec<Type, Length> &x) noexcept SINTER_EACH(sycl::nan(x[i]), vec<Result, Length>)

namespace native {
#define SINTER_EACH_1(name) SINTER_FLOAT_1(sycl::native, name)
#define SINTER_EACH_2(name) SINTER_FLOAT_2(sycl::native, name)
SINTER_NATIVE_UNARY(SINTER_EACH_1)
SINTER_NATIVE_BINARY(SINTER_EACH_2)
#undef SINTER_EACH_1
#undef SINTER_EACH_2
} // namespace native
namespace half_precision {
#define SINTER_EACH_1(name) SINTER_FLOAT_1(sycl::half_precision, name)
#define SINTER_EACH_2(name) SINTER_FLOAT_2(sycl::half_precision, name)
SINTER_NATIVE_UNARY(SINTER_EACH_1)
SINTER_NATIVE_BINARY(SINTER_EACH_2)
#undef SINTER_EACH_1
#undef SINTER_EACH_2
} // namespace half_precision

template <class Type, int Length, class Result = typename detail::twice<Type>::type>
constexpr vec<Result, Length> upsample(SINTER_X, const vec<detail::unsigned_of<Type>, Length> &y) noexcept
    SINTER_EACH(sycl::upsample(x[i], y[i]), vec<Result, Length>)

SINTER_ELEMENTS SINTER_V clamp(SINTER_X, const SINTER_ONE &y, const SINTER_ONE &z) noexcept
    SINTER_EACH(sycl::clamp(x[i], y, z), SINTER_V)
SINTER_ELEMENTS SINTER_V mix(SINTER_XY, const SINTER_ONE &z) noexcept SINTER_EACH(sycl::mix(x[i], y[i], z), SINTER_V)
SINTER_ELEMENTS SINTER_V step(const SINTER_ONE &edge, SINTER_X) noexcept SINTER_EACH(sycl::step(edge, x[i]), SINTER_V)
SINTER_ELEMENTS SINTER_V smoothstep(const SINTER_ONE &y, const SINTER_ONE &z, SINTER_X) noexcept
    SINTER_EACH(sycl::smoothstep(y, z, x[i]), SINTER_V)

// 1 if the most significant bit is set in any element, or in all elements; else 0.
SINTER_ELEMENTS int any(SINTER_X) noexcept {
  int result = 0;
  for (int i = 0; i < Length; ++i)
    result |= x[i] < 0;
  return result;
}
SINTER_ELEMENTS int all(SINTER_X) noexcept {
  int result = 1;
  for (int i = 0; i < Length; ++i)
    result &= x[i] < 0;
  return result;
}
// The elements of y where the most significant bit of z is set, else those of x.
template <class Type, int Length, class Choice,
          detail::enable_if<detail::is_integer<Choice> && sizeof(Choice) == sizeof(Type)> = 0>
constexpr SINTER_V select(SINTER_XY, const vec<Choice, Length> &z) noexcept
    SINTER_EACH(static_cast<std::make_signed_t<Choice>>(z[i]) < 0 ? y[i] : x[i], SINTER_V)

#undef SINTER_FLOAT_2
#undef SINTER_FLOAT_1
#undef SINTER_VEC_TEST_2
#undef SINTER_VEC_TEST_1
#undef SINTER_VEC_QUOTIENT
#undef SINTER_VEC_COUNT
#undef SINTER_VEC_SPLIT
#undef SINTER_VEC_POINTER
#undef SINTER_VEC_EXPONENT
#undef SINTER_VEC_INT
#undef SINTER_VEC_INTEGER
#undef SINTER_VEC_SCALAR
#undef SINTER_VEC_3
#undef SINTER_VEC_2
#undef SINTER_VEC_1
#undef SINTER_MASK
#undef SINTER_INTS
#undef SINTER_ONE
#undef SINTER_XYZ
#undef SINTER_XY
#undef SINTER_X
#undef SINTER_V
#undef SINTER_ELEMENTS
#undef SINTER_EACH

} // namespace sycl

#endif
