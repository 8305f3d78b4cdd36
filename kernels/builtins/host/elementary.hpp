// Elementary functions of the host: LLVM's intrinsic if there is one, else libm's function.
#pragma once
#include "../generic/exact.hpp"

// These return the sign through an argument; lgamma itself writes to a global.
extern "C" f32 lgammaf_r(f32, i32 *);
extern "C" f64 lgamma_r(f64, i32 *);

namespace math {

// Templates, so that functions defined later take precedence.
#define LIBM1(NAME)                                                                                                    \
  template <class T> inline T NAME(T x) {                                                                              \
    if constexpr (sizeof(T) == 4)                                                                                      \
      return __builtin_##NAME##f(x);                                                                                   \
    else                                                                                                               \
      return __builtin_##NAME(x);                                                                                      \
  }
#define LIBM2(NAME)                                                                                                    \
  template <class T> inline T NAME(T x, T y) {                                                                         \
    if constexpr (sizeof(T) == 4)                                                                                      \
      return __builtin_##NAME##f(x, y);                                                                                \
    else                                                                                                               \
      return __builtin_##NAME(x, y);                                                                                   \
  }

C_LIBRARY_UNARY(LIBM1)
C_LIBRARY_BINARY(LIBM2)

#undef LIBM1
#undef LIBM2

// By the CPU's estimate where it has one.
inline f32 rsqrt(f32 x) {
#pragma clang fp reciprocal(on)
  return 1 / sqrt(x);
}
inline f64 rsqrt(f64 x) { return 1 / sqrt(x); }

#include "../../../runtime/include/sycl/detail/derived_roots.hpp"

inline f32 frexp(f32 x, i32 *exponent) { return __builtin_frexpf(x, exponent); }
inline f64 frexp(f64 x, i32 *exponent) { return __builtin_frexp(x, exponent); }
inline i32 ilogb(f32 x) { return __builtin_ilogbf(x); }
inline i32 ilogb(f64 x) { return __builtin_ilogb(x); }
inline f32 ldexp(f32 x, i32 exponent) { return __builtin_ldexpf(x, exponent); }
inline f64 ldexp(f64 x, i32 exponent) { return __builtin_ldexp(x, exponent); }
inline f32 lgamma(f32 x) {
  i32 sign;
  return lgammaf_r(x, &sign);
}
inline f64 lgamma(f64 x) {
  i32 sign;
  return ::lgamma_r(x, &sign);
}

} // namespace math
