// Geometric functions on scalars, vec, views of its elements and marray. The fast ones are as
// accurate as sycl::half_precision.
//
// *Invariant:* a scalar is a vector of one element. Normalising zero gives zero.
#ifndef SYCL_GEOMETRIC_HPP
#define SYCL_GEOMETRIC_HPP

#include "vec_math.hpp"

namespace sycl {

namespace detail {

// In float for shorter numbers, whose squares soon are infinite.
template <class Plain> constexpr auto wide_length(const Plain &x) noexcept {
  using wide = std::conditional_t<sizeof(typename Plain::value_type) < sizeof(float), float, typename Plain::value_type>;
  wide sum = 0;
  for (int i = 0; i < length<Plain>; ++i)
    sum += static_cast<wide>(x[i]) * static_cast<wide>(x[i]);
  return sqrt(sum);
}
template <class Type> inline constexpr bool is_other_real = is_real<Type> && !std::is_floating_point_v<Type>;

} // namespace detail

#define SINTER_OF_1(predicate, result, name)                                                                         \
  template <class First, class Plain = detail::common<detail::predicate, First>>                                     \
  constexpr result name(const First &xs) noexcept
#define SINTER_OF_2(predicate, result, name)                                                                         \
  template <class First, class Second, class Plain = detail::common<detail::predicate, First, Second>>               \
  constexpr result name(const First &xs, const Second &ys) noexcept

SINTER_OF_2(scalar_element, typename Plain::value_type, dot) {
  decltype(auto) x = detail::plain<Plain>(xs);
  decltype(auto) y = detail::plain<Plain>(ys);
  typename Plain::value_type sum = x[0] * y[0];
  for (int i = 1; i < detail::length<Plain>; ++i)
    sum += x[i] * y[i];
  return sum;
}
SINTER_OF_2(scalar_element, Plain, cross) {
  static_assert(detail::length<Plain> == 3 || detail::length<Plain> == 4, "cross takes three or four elements");
  decltype(auto) x = detail::plain<Plain>(xs);
  decltype(auto) y = detail::plain<Plain>(ys);
  Plain result;
  result[0] = x[1] * y[2] - x[2] * y[1];
  result[1] = x[2] * y[0] - x[0] * y[2];
  result[2] = x[0] * y[1] - x[1] * y[0];
  return result;
}
SINTER_OF_1(real_element, typename Plain::value_type, length) {
  return static_cast<typename Plain::value_type>(detail::wide_length(detail::plain<Plain>(xs)));
}
SINTER_OF_2(real_element, typename Plain::value_type, distance) {
  return length(detail::plain<Plain>(xs) - detail::plain<Plain>(ys));
}
SINTER_OF_1(real_element, Plain, normalize) {
  Plain result = detail::plain<Plain>(xs);
  const auto size = detail::wide_length(result);
  if (size != 0)
    for (int i = 0; i < detail::length<Plain>; ++i)
      result[i] = static_cast<typename Plain::value_type>(result[i] / size);
  return result;
}

SINTER_OF_1(float_element, float, fast_length) { return half_precision::sqrt(dot(xs, xs)); }
SINTER_OF_2(float_element, float, fast_distance) {
  return fast_length(detail::plain<Plain>(xs) - detail::plain<Plain>(ys));
}
SINTER_OF_1(float_element, Plain, fast_normalize) {
  const float square = dot(xs, xs);
  return square == 0.0f ? Plain(xs) : detail::plain<Plain>(xs) * half_precision::rsqrt(square);
}
#undef SINTER_OF_1
#undef SINTER_OF_2

SINTER_SCALAR_2(dot, SINTER_SAME, { return x * y; }, { return x * y; })
SINTER_SCALAR_1(length, SINTER_SAME, { return fabs(x); }, { return fabs(x); })
SINTER_SCALAR_2(distance, SINTER_SAME, { return fabs(x - y); }, { return fabs(x - y); })
SINTER_SCALAR_1(normalize, SINTER_SAME, { return x == 0 ? x : x / fabs(x); }, { return x == 0 ? x : x / fabs(x); })

// Real numbers that are no types of C++.
#define SINTER_NUMBER template <class Type, detail::enable_if<detail::is_other_real<Type>> = 0> inline Type
SINTER_NUMBER dot(Type x, Type y) noexcept { return x * y; }
SINTER_NUMBER length(Type x) noexcept { return fabs(x); }
SINTER_NUMBER distance(Type x, Type y) noexcept { return fabs(x - y); }
SINTER_NUMBER normalize(Type x) noexcept { return x == Type(0) ? x : x / fabs(x); }
#undef SINTER_NUMBER

#define SINTER_FLOAT template <class... Choice, detail::chosen<float, Choice...> = 0> inline float
SINTER_FLOAT fast_length(float x) noexcept { return fabs(x); }
SINTER_FLOAT fast_distance(float x, float y) noexcept { return fabs(x - y); }
SINTER_FLOAT fast_normalize(float x) noexcept { return normalize(x); }
#undef SINTER_FLOAT

} // namespace sycl

#undef SINTER_SCALAR_1
#undef SINTER_SCALAR_2
#undef SINTER_SCALAR_3
#undef SINTER_SCALAR_WHOLE
#undef SINTER_SAME
#undef SINTER_INT
#undef SINTER_BOOL

#endif
