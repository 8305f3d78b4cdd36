// The functions of math.hpp, integer.hpp and relational.hpp on vec, element by element.
//
// One macro for each shape that functions have; the lists below are in the order of the standard's sections.
#ifndef SYCL_VEC_MATH_HPP
#define SYCL_VEC_MATH_HPP

#include "vec.hpp"

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
// The second argument may be one number for all elements.
#define SINTER_VEC_2_SCALAR(name)                                                                                    \
  SINTER_VEC_2(name)                                                                                                 \
  SINTER_ELEMENTS SINTER_V name(SINTER_X, const SINTER_ONE &y) noexcept SINTER_EACH(sycl::name(x[i], y), SINTER_V)
// The second argument is a vector of integers.
#define SINTER_VEC_INTEGER(name)                                                                                     \
  SINTER_ELEMENTS SINTER_V name(SINTER_X, const SINTER_INTS &y) noexcept SINTER_EACH(sycl::name(x[i], y[i]), SINTER_V)
// The second result goes where `Pointer` points, to a vector of these.
#define SINTER_VEC_POINTER(name, second, parameters, ...)                                                            \
  template <class Type, int Length, class Pointer> constexpr SINTER_V name(parameters, Pointer to) noexcept {        \
    vec<second, Length> other;                                                                                       \
    SINTER_V result;                                                                                                 \
    for (int i = 0; i < Length; ++i)                                                                                 \
      result[i] = sycl::name(__VA_ARGS__, &other[i]);                                                                \
    *to = other;                                                                                                     \
    return result;                                                                                                   \
  }
// The results are -1 for true.
#define SINTER_VEC_TEST_1(name)                                                                                      \
  SINTER_ELEMENTS SINTER_MASK name(SINTER_X) noexcept SINTER_EACH(sycl::name(x[i]) ? -1 : 0, SINTER_MASK)
#define SINTER_VEC_TEST_2(name)                                                                                      \
  SINTER_ELEMENTS SINTER_MASK name(SINTER_XY) noexcept SINTER_EACH(sycl::name(x[i], y[i]) ? -1 : 0, SINTER_MASK)
// Functions on float alone.
#define SINTER_FLOAT_1(scope, name)                                                                                  \
  template <int Length> vec<float, Length> name(const vec<float, Length> &x) noexcept                                \
      SINTER_EACH(scope::name(x[i]), vec<float, Length>)
#define SINTER_FLOAT_2(scope, name)                                                                                  \
  template <int Length> vec<float, Length> name(const vec<float, Length> &x, const vec<float, Length> &y) noexcept   \
      SINTER_EACH(scope::name(x[i], y[i]), vec<float, Length>)

SINTER_VEC_1(acos)
SINTER_VEC_1(acosh)
SINTER_VEC_1(acospi)
SINTER_VEC_1(asin)
SINTER_VEC_1(asinh)
SINTER_VEC_1(asinpi)
SINTER_VEC_1(atan)
SINTER_VEC_1(atanh)
SINTER_VEC_1(atanpi)
SINTER_VEC_1(cbrt)
SINTER_VEC_1(ceil)
SINTER_VEC_1(cos)
SINTER_VEC_1(cosh)
SINTER_VEC_1(cospi)
SINTER_VEC_1(erf)
SINTER_VEC_1(erfc)
SINTER_VEC_1(exp)
SINTER_VEC_1(exp10)
SINTER_VEC_1(exp2)
SINTER_VEC_1(expm1)
SINTER_VEC_1(fabs)
SINTER_VEC_1(floor)
SINTER_VEC_1(lgamma)
SINTER_VEC_1(log)
SINTER_VEC_1(log10)
SINTER_VEC_1(log1p)
SINTER_VEC_1(log2)
SINTER_VEC_1(logb)
SINTER_VEC_1(rint)
SINTER_VEC_1(round)
SINTER_VEC_1(rsqrt)
SINTER_VEC_1(sin)
SINTER_VEC_1(sinh)
SINTER_VEC_1(sinpi)
SINTER_VEC_1(sqrt)
SINTER_VEC_1(tan)
SINTER_VEC_1(tanh)
SINTER_VEC_1(tanpi)
SINTER_VEC_1(tgamma)
SINTER_VEC_1(trunc)
SINTER_VEC_2(atan2)
SINTER_VEC_2(atan2pi)
SINTER_VEC_2(copysign)
SINTER_VEC_2(fdim)
SINTER_VEC_2(fmod)
SINTER_VEC_2(hypot)
SINTER_VEC_2(maxmag)
SINTER_VEC_2(minmag)
SINTER_VEC_2(nextafter)
SINTER_VEC_2(pow)
SINTER_VEC_2(powr)
SINTER_VEC_2(remainder)
SINTER_VEC_2_SCALAR(fmax)
SINTER_VEC_2_SCALAR(fmin)
SINTER_VEC_3(fma)
SINTER_VEC_3(mad)
SINTER_VEC_INTEGER(ldexp)
SINTER_VEC_INTEGER(pown)
SINTER_VEC_INTEGER(rootn)
SINTER_ELEMENTS SINTER_V ldexp(SINTER_X, int k) noexcept SINTER_EACH(sycl::ldexp(x[i], k), SINTER_V)
SINTER_ELEMENTS SINTER_INTS ilogb(SINTER_X) noexcept SINTER_EACH(sycl::ilogb(x[i]), SINTER_INTS)
SINTER_VEC_POINTER(fract, Type, SINTER_X, x[i])
SINTER_VEC_POINTER(frexp, std::int32_t, SINTER_X, x[i])
SINTER_VEC_POINTER(lgamma_r, std::int32_t, SINTER_X, x[i])
SINTER_VEC_POINTER(modf, Type, SINTER_X, x[i])
SINTER_VEC_POINTER(sincos, Type, SINTER_X, x[i])
SINTER_VEC_POINTER(remquo, std::int32_t, SINTER_XY, x[i], y[i])
template <class Type, int Length, class Result = decltype(sycl::nan(Type()))>
vec<Result, Length> nan(const vec<Type, Length> &x) noexcept SINTER_EACH(sycl::nan(x[i]), vec<Result, Length>)

#define SINTER_FLOATS(scope)                                                                                         \
  SINTER_FLOAT_1(scope, cos)                                                                                         \
  SINTER_FLOAT_1(scope, exp)                                                                                         \
  SINTER_FLOAT_1(scope, exp10)                                                                                       \
  SINTER_FLOAT_1(scope, exp2)                                                                                        \
  SINTER_FLOAT_1(scope, log)                                                                                         \
  SINTER_FLOAT_1(scope, log10)                                                                                       \
  SINTER_FLOAT_1(scope, log2)                                                                                        \
  SINTER_FLOAT_1(scope, recip)                                                                                       \
  SINTER_FLOAT_1(scope, rsqrt)                                                                                       \
  SINTER_FLOAT_1(scope, sin)                                                                                         \
  SINTER_FLOAT_1(scope, sqrt)                                                                                        \
  SINTER_FLOAT_1(scope, tan)                                                                                         \
  SINTER_FLOAT_2(scope, divide)                                                                                      \
  SINTER_FLOAT_2(scope, powr)
namespace native {
SINTER_FLOATS(sycl::native)
} // namespace native
namespace half_precision {
SINTER_FLOATS(sycl::half_precision)
} // namespace half_precision
#undef SINTER_FLOATS

SINTER_VEC_1(abs)
SINTER_VEC_1(clz)
SINTER_VEC_1(ctz)
SINTER_VEC_1(popcount)
SINTER_VEC_2(abs_diff)
SINTER_VEC_2(add_sat)
SINTER_VEC_2(hadd)
SINTER_VEC_2(mul24)
SINTER_VEC_2(mul_hi)
SINTER_VEC_2(rhadd)
SINTER_VEC_2(rotate)
SINTER_VEC_2(sub_sat)
SINTER_VEC_2_SCALAR(max)
SINTER_VEC_2_SCALAR(min)
SINTER_VEC_3(clamp)
SINTER_VEC_3(mad24)
SINTER_VEC_3(mad_hi)
SINTER_VEC_3(mad_sat)
template <class Type, int Length, class Result = typename detail::twice<Type>::type>
constexpr vec<Result, Length> upsample(SINTER_X, const vec<detail::unsigned_of<Type>, Length> &y) noexcept
    SINTER_EACH(sycl::upsample(x[i], y[i]), vec<Result, Length>)

SINTER_VEC_1(degrees)
SINTER_VEC_1(radians)
SINTER_VEC_1(sign)
SINTER_VEC_2(step)
SINTER_VEC_3(mix)
SINTER_VEC_3(smoothstep)
SINTER_ELEMENTS SINTER_V clamp(SINTER_X, const SINTER_ONE &y, const SINTER_ONE &z) noexcept
    SINTER_EACH(sycl::clamp(x[i], y, z), SINTER_V)
SINTER_ELEMENTS SINTER_V mix(SINTER_XY, const SINTER_ONE &z) noexcept SINTER_EACH(sycl::mix(x[i], y[i], z), SINTER_V)
SINTER_ELEMENTS SINTER_V step(const SINTER_ONE &edge, SINTER_X) noexcept SINTER_EACH(sycl::step(edge, x[i]), SINTER_V)
SINTER_ELEMENTS SINTER_V smoothstep(const SINTER_ONE &y, const SINTER_ONE &z, SINTER_X) noexcept
    SINTER_EACH(sycl::smoothstep(y, z, x[i]), SINTER_V)

SINTER_VEC_TEST_1(isfinite)
SINTER_VEC_TEST_1(isinf)
SINTER_VEC_TEST_1(isnan)
SINTER_VEC_TEST_1(isnormal)
SINTER_VEC_TEST_1(signbit)
SINTER_VEC_TEST_2(isequal)
SINTER_VEC_TEST_2(isgreater)
SINTER_VEC_TEST_2(isgreaterequal)
SINTER_VEC_TEST_2(isless)
SINTER_VEC_TEST_2(islessequal)
SINTER_VEC_TEST_2(islessgreater)
SINTER_VEC_TEST_2(isnotequal)
SINTER_VEC_TEST_2(isordered)
SINTER_VEC_TEST_2(isunordered)
SINTER_VEC_3(bitselect)

// Whether the most significant bit is set in any element, or in all: 1 or 0.
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
// The elements of y where the most significant bit of z is set.
template <class Type, int Length, class Choice,
          detail::enable_if<detail::is_integer<Choice> && sizeof(Choice) == sizeof(Type)> = 0>
constexpr SINTER_V select(SINTER_XY, const vec<Choice, Length> &z) noexcept
    SINTER_EACH(static_cast<std::make_signed_t<Choice>>(z[i]) < 0 ? y[i] : x[i], SINTER_V)

#undef SINTER_FLOAT_2
#undef SINTER_FLOAT_1
#undef SINTER_VEC_TEST_2
#undef SINTER_VEC_TEST_1
#undef SINTER_VEC_POINTER
#undef SINTER_VEC_INTEGER
#undef SINTER_VEC_2_SCALAR
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
