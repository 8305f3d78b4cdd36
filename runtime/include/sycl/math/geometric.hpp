// Geometric functions on scalars, vec, views of its elements and marray. The fast ones are as
// accurate as sycl::half_precision.
//
// *Invariant:* a scalar is a vector of one element. Normalising zero gives zero. Lengths and
// distances that the type can represent do not overflow, nor lose digits, on the way.
#ifndef SYCL_GEOMETRIC_HPP
#define SYCL_GEOMETRIC_HPP

#include "vec_math.hpp"

namespace sycl {

namespace detail {

// The type in which lengths are computed: float for shorter numbers.
template <class Plain>
using wide_element =
    std::conditional_t<sizeof(typename Plain::value_type) < sizeof(float), float, typename Plain::value_type>;

// The elements of a vector in that type, and the sum of their squares.
template <class Real, int Count> struct wide_elements {
  Real at[Count];

  constexpr Real squares(Real scale) const noexcept {
    Real sum = 0;
    for (int i = 0; i < Count; ++i)
      sum += (at[i] * scale) * (at[i] * scale);
    return sum;
  }
};
template <class Plain> constexpr auto widened(const Plain &x) noexcept {
  wide_elements<wide_element<Plain>, length<Plain>> wide{};
  for (int i = 0; i < length<Plain>; ++i)
    wide.at[i] = static_cast<wide_element<Plain>>(x[i]);
  return wide;
}

// The factor for elements whose squares overflow, or lose digits. Also of an infinite sum.
template <class Real> constexpr Real scale_for(Real sum) noexcept {
  constexpr bool is_short = sizeof(Real) == 4;
  constexpr Real least = is_short ? Real(0x1p-80f) : Real(0x1p-900), most = std::numeric_limits<Real>::max();
  constexpr Real up = is_short ? Real(0x1p+90f) : Real(0x1p+700), down = is_short ? Real(0x1p-70f) : Real(0x1p-600);
  return sum > most ? down : sum < least ? up : Real(1);
}
template <class Real, int Count> constexpr Real wide_length(const wide_elements<Real, Count> &x) noexcept {
  const Real sum = x.squares(1), scale = scale_for(sum);
  return scale == Real(1) ? sqrt(sum) : sqrt(x.squares(scale)) / scale;
}
// Of infinite elements only the signs count. Zero stays zero.
template <class Real, int Count> constexpr void normalize_wide(wide_elements<Real, Count> &x) noexcept {
  const Real sum = x.squares(1), scale = scale_for(sum);
  if (scale != Real(1)) {
    bool is_infinite = false;
    for (int i = 0; i < Count; ++i)
      is_infinite |= isinf(x.at[i]);
    for (int i = 0; i < Count; ++i)
      x.at[i] = !is_infinite ? x.at[i] * scale : copysign(isinf(x.at[i]) ? Real(1) : Real(0), x.at[i]);
  }
  const Real size = scale == Real(1) ? sqrt(sum) : sqrt(x.squares(1));
  if (size != Real(0))
    for (int i = 0; i < Count; ++i)
      x.at[i] = x.at[i] / size;
}
// A number of length 1, zero or NaN.
template <class Type> inline Type unit(Type x) noexcept {
  return x == Type(0) || isnan(x) ? x : copysign(Type(1), x);
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
  return static_cast<typename Plain::value_type>(detail::wide_length(detail::widened(detail::plain<Plain>(xs))));
}
SINTER_OF_2(real_element, typename Plain::value_type, distance) {
  auto x = detail::widened(detail::plain<Plain>(xs));
  const auto y = detail::widened(detail::plain<Plain>(ys));
  for (int i = 0; i < detail::length<Plain>; ++i)
    x.at[i] -= y.at[i];
  return static_cast<typename Plain::value_type>(detail::wide_length(x));
}
SINTER_OF_1(real_element, Plain, normalize) {
  Plain result = detail::plain<Plain>(xs);
  auto wide = detail::widened(result);
  detail::normalize_wide(wide);
  for (int i = 0; i < detail::length<Plain>; ++i)
    result[i] = static_cast<typename Plain::value_type>(wide.at[i]);
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
SINTER_SCALAR_1(normalize, SINTER_SAME, { return detail::unit(x); }, { return detail::unit(x); })

// Real numbers that are no types of C++.
#define SINTER_NUMBER template <class Type, detail::enable_if<detail::is_other_real<Type>> = 0> inline Type
SINTER_NUMBER dot(Type x, Type y) noexcept { return x * y; }
SINTER_NUMBER length(Type x) noexcept { return fabs(x); }
SINTER_NUMBER distance(Type x, Type y) noexcept { return fabs(x - y); }
SINTER_NUMBER normalize(Type x) noexcept { return detail::unit(x); }
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
