// The C library's math functions, as compiler builtins: stage 1 turns them into intrinsics for
// device code, and host code calls libm.
#ifndef SYCL_DETAIL_C_MATH_HPP
#define SYCL_DETAIL_C_MATH_HPP

#include "function_lists.hpp"
#include "scalars.hpp"

namespace sycl {

#define SINTER_MATH_1(name)                                                                                          \
  SINTER_SCALAR_1(name, SINTER_SAME, { return __builtin_##name##f(x); }, { return __builtin_##name(x); })
#define SINTER_MATH_2(name)                                                                                          \
  SINTER_SCALAR_2(name, SINTER_SAME, { return __builtin_##name##f(x, y); }, { return __builtin_##name(x, y); })
#define SINTER_MATH_3(name)                                                                                          \
  SINTER_SCALAR_3(name, SINTER_SAME, { return __builtin_##name##f(x, y, z); }, { return __builtin_##name(x, y, z); })
#define SINTER_MATH_WHOLE(name)                                                                                      \
  SINTER_SCALAR_WHOLE(name, { return __builtin_##name##f(x, n); }, { return __builtin_##name(x, n); })
#define SINTER_MATH_EXPONENT(name)                                                                                   \
  SINTER_SCALAR_1(name, SINTER_INT, { return __builtin_##name##f(x); }, { return __builtin_##name(x); })

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
