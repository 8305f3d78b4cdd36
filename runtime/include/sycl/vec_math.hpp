// The functions of math.hpp and integer.hpp on vec, element by element, and the geometric functions.
#ifndef SYCL_VEC_MATH_HPP
#define SYCL_VEC_MATH_HPP

#include "vec.hpp"

namespace sycl {

#define SINTER_VEC_1(name)                                                                                           \
  template <class T, int C> constexpr vec<T, C> name(const vec<T, C> &x) noexcept {                                  \
    vec<T, C> result;                                                                                                \
    for (int i = 0; i < C; ++i)                                                                                      \
      result[i] = sycl::name(x[i]);                                                                                  \
    return result;                                                                                                   \
  }
#define SINTER_VEC_2(name)                                                                                           \
  template <class T, int C> constexpr vec<T, C> name(const vec<T, C> &x, const vec<T, C> &y) noexcept {              \
    vec<T, C> result;                                                                                                \
    for (int i = 0; i < C; ++i)                                                                                      \
      result[i] = sycl::name(x[i], y[i]);                                                                            \
    return result;                                                                                                   \
  }
#define SINTER_VEC_2_SCALAR(name)                                                                                    \
  SINTER_VEC_2(name)                                                                                                 \
  template <class T, int C> constexpr vec<T, C> name(const vec<T, C> &x, const detail::no_deduction<T> &y) noexcept {\
    return sycl::name(x, vec<T, C>(y));                                                                              \
  }
#define SINTER_VEC_3(name)                                                                                           \
  template <class T, int C>                                                                                          \
  constexpr vec<T, C> name(const vec<T, C> &x, const vec<T, C> &y, const vec<T, C> &z) noexcept {                    \
    vec<T, C> result;                                                                                                \
    for (int i = 0; i < C; ++i)                                                                                      \
      result[i] = sycl::name(x[i], y[i], z[i]);                                                                      \
    return result;                                                                                                   \
  }

SINTER_VEC_1(abs)
SINTER_VEC_1(acos)
SINTER_VEC_1(asin)
SINTER_VEC_1(atan)
SINTER_VEC_1(cbrt)
SINTER_VEC_1(ceil)
SINTER_VEC_1(clz)
SINTER_VEC_1(cos)
SINTER_VEC_1(cosh)
SINTER_VEC_1(ctz)
SINTER_VEC_1(erf)
SINTER_VEC_1(exp)
SINTER_VEC_1(exp10)
SINTER_VEC_1(exp2)
SINTER_VEC_1(expm1)
SINTER_VEC_1(fabs)
SINTER_VEC_1(floor)
SINTER_VEC_1(log)
SINTER_VEC_1(log10)
SINTER_VEC_1(log1p)
SINTER_VEC_1(log2)
SINTER_VEC_1(popcount)
SINTER_VEC_1(rint)
SINTER_VEC_1(round)
SINTER_VEC_1(rsqrt)
SINTER_VEC_1(sign)
SINTER_VEC_1(sin)
SINTER_VEC_1(sinh)
SINTER_VEC_1(sqrt)
SINTER_VEC_1(tan)
SINTER_VEC_1(tanh)
SINTER_VEC_1(trunc)
SINTER_VEC_2(atan2)
SINTER_VEC_2(copysign)
SINTER_VEC_2(fmod)
SINTER_VEC_2(hypot)
SINTER_VEC_2(mul24)
SINTER_VEC_2(mul_hi)
SINTER_VEC_2(pow)
SINTER_VEC_2(powr)
SINTER_VEC_2_SCALAR(fmax)
SINTER_VEC_2_SCALAR(fmin)
SINTER_VEC_2_SCALAR(max)
SINTER_VEC_2_SCALAR(min)
SINTER_VEC_3(clamp)
SINTER_VEC_3(fma)
SINTER_VEC_3(mad)
SINTER_VEC_3(mix)

#undef SINTER_VEC_1
#undef SINTER_VEC_2
#undef SINTER_VEC_2_SCALAR
#undef SINTER_VEC_3

template <class T, int C>
constexpr vec<T, C> clamp(const vec<T, C> &x, const detail::no_deduction<T> &lowest,
                          const detail::no_deduction<T> &highest) noexcept {
  return sycl::clamp(x, vec<T, C>(lowest), vec<T, C>(highest));
}

template <class T, int C> constexpr T dot(const vec<T, C> &x, const vec<T, C> &y) noexcept {
  T sum = x[0] * y[0];
  for (int i = 1; i < C; ++i)
    sum += x[i] * y[i];
  return sum;
}
template <class T> constexpr vec<T, 3> cross(const vec<T, 3> &x, const vec<T, 3> &y) noexcept {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}
template <class T> constexpr vec<T, 4> cross(const vec<T, 4> &x, const vec<T, 4> &y) noexcept {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0], T(0)};
}
template <class T, int C> T length(const vec<T, C> &x) noexcept { return sqrt(dot(x, x)); }
template <class T, int C> T distance(const vec<T, C> &x, const vec<T, C> &y) noexcept { return length(x - y); }
template <class T, int C> vec<T, C> normalize(const vec<T, C> &x) noexcept { return x / length(x); }

} // namespace sycl

#endif
