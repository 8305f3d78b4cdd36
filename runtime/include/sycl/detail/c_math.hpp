// The math functions of the C library, through the compiler's builtins, so that stage 1 can turn them into intrinsics for
// device code and host code calls libm.
#ifndef SYCL_DETAIL_C_MATH_HPP
#define SYCL_DETAIL_C_MATH_HPP

#include "function_lists.hpp"

namespace sycl {

// A template with nothing to deduce converts arguments as a function does, but the C library's function of the same
// types is the better match: a program may say `using namespace sycl` and `sqrt(x)`.
#define SINTER_MATH_1(name)                                                                                          \
  template <int = 0> inline float name(float x) noexcept { return __builtin_##name##f(x); }                          \
  template <int = 0> inline double name(double x) noexcept { return __builtin_##name(x); }
#define SINTER_MATH_2(name)                                                                                          \
  template <int = 0> inline float name(float x, float y) noexcept { return __builtin_##name##f(x, y); }              \
  template <int = 0> inline double name(double x, double y) noexcept { return __builtin_##name(x, y); }
#define SINTER_MATH_3(name)                                                                                          \
  template <int = 0> inline float name(float x, float y, float z) noexcept { return __builtin_##name##f(x, y, z); }  \
  template <int = 0> inline double name(double x, double y, double z) noexcept { return __builtin_##name(x, y, z); }
#define SINTER_MATH_WHOLE(name)                                                                                      \
  template <int = 0> inline float name(float x, int n) noexcept { return __builtin_##name##f(x, n); }                \
  template <int = 0> inline double name(double x, int n) noexcept { return __builtin_##name(x, n); }
#define SINTER_MATH_EXPONENT(name)                                                                                   \
  template <int = 0> inline int name(float x) noexcept { return __builtin_##name##f(x); }                            \
  template <int = 0> inline int name(double x) noexcept { return __builtin_##name(x); }

SINTER_C_LIBRARY_UNARY(SINTER_MATH_1)
SINTER_C_LIBRARY_BINARY(SINTER_MATH_2)
SINTER_C_LIBRARY_TERNARY(SINTER_MATH_3)
SINTER_C_LIBRARY_WHOLE(SINTER_MATH_WHOLE)
SINTER_C_LIBRARY_EXPONENT(SINTER_MATH_EXPONENT)

#undef SINTER_MATH_1
#undef SINTER_MATH_2
#undef SINTER_MATH_3
#undef SINTER_MATH_WHOLE
#undef SINTER_MATH_EXPONENT

} // namespace sycl

#endif
