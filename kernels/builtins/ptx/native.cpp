// Native (implementation-defined precision) functions: the approximate instructions for f32. There
// are none for f64.
#include "elementary.hpp"

#define APPROXIMATE1(NAME, INSTRUCTION)                                                                                \
  static inline f32 NAME(f32 x) {                                                                                      \
    f32 result;                                                                                                        \
    asm(INSTRUCTION " %0, %1;" : "=f"(result) : "f"(x));                                                               \
    return result;                                                                                                     \
  }
#define APPROXIMATE2(NAME, INSTRUCTION)                                                                                \
  static inline f32 NAME(f32 x, f32 y) {                                                                               \
    f32 result;                                                                                                        \
    asm(INSTRUCTION " %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));                                                   \
    return result;                                                                                                     \
  }

APPROXIMATE1(sine, "sin.approx.f32")
APPROXIMATE1(cosine, "cos.approx.f32")
APPROXIMATE1(power_of_2, "ex2.approx.f32")
APPROXIMATE1(logarithm_to_2, "lg2.approx.f32")
APPROXIMATE1(reciprocal, "rcp.approx.f32")
APPROXIMATE1(root, "sqrt.approx.f32")
APPROXIMATE1(reciprocal_root, "rsqrt.approx.f32")
APPROXIMATE2(quotient, "div.full.f32")

#include "../generic/native.hpp"
