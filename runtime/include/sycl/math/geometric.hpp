// Geometric functions on scalars and on vec. The fast ones are as accurate as sycl::half_precision.
#ifndef SYCL_GEOMETRIC_HPP
#define SYCL_GEOMETRIC_HPP

#include "vec_math.hpp"

namespace sycl {

template <class Type, int Length> constexpr Type dot(const vec<Type, Length> &x, const vec<Type, Length> &y) noexcept {
  Type sum = x[0] * y[0];
  for (int i = 1; i < Length; ++i)
    sum += x[i] * y[i];
  return sum;
}
template <class Type> constexpr vec<Type, 3> cross(const vec<Type, 3> &x, const vec<Type, 3> &y) noexcept {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}
template <class Type> constexpr vec<Type, 4> cross(const vec<Type, 4> &x, const vec<Type, 4> &y) noexcept {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0], Type(0)};
}
template <class Type, int Length> Type length(const vec<Type, Length> &x) noexcept { return sqrt(dot(x, x)); }
template <class Type, int Length> Type distance(const vec<Type, Length> &x, const vec<Type, Length> &y) noexcept {
  return length(x - y);
}
template <class Type, int Length> vec<Type, Length> normalize(const vec<Type, Length> &x) noexcept {
  return x / length(x);
}

template <int Length> float fast_length(const vec<float, Length> &x) noexcept {
  return half_precision::sqrt(dot(x, x));
}
template <int Length> float fast_distance(const vec<float, Length> &x, const vec<float, Length> &y) noexcept {
  return fast_length(x - y);
}
// A zero vector stays zero.
template <int Length> vec<float, Length> fast_normalize(const vec<float, Length> &x) noexcept {
  const float square = dot(x, x);
  return square == 0.0f ? x : x * half_precision::rsqrt(square);
}

// A scalar is a vector of one element.
#define SINTER_NUMBER(type)                                                                                          \
  inline type dot(type x, type y) noexcept { return x * y; }                                                         \
  inline type length(type x) noexcept { return fabs(x); }                                                            \
  inline type distance(type x, type y) noexcept { return fabs(x - y); }                                              \
  inline type normalize(type x) noexcept { return x / fabs(x); }
SINTER_NUMBER(float)
SINTER_NUMBER(double)
#undef SINTER_NUMBER
inline float fast_length(float x) noexcept { return fabs(x); }
inline float fast_distance(float x, float y) noexcept { return fabs(x - y); }
inline float fast_normalize(float x) noexcept { return x == 0.0f ? x : x / fabs(x); }

} // namespace sycl

#endif
