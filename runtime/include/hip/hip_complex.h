// Complex numbers, which are pairs of floats or doubles, and their functions.
#ifndef HIP_HIP_COMPLEX_H
#define HIP_HIP_COMPLEX_H

#include "hip_runtime.h"

#include <math.h>

using hipFloatComplex = float2;
using hipDoubleComplex = double2;
using hipComplex = hipFloatComplex;

// `f` is the suffix of functions on floats. A quotient is scaled, so that no square is beyond the
// range (Smith's algorithm).
#define SINTER_HIP_COMPLEX(type, number, f, make)                                                                    \
  SINTER_HIP_BOTH type make(number real, number imaginary) { return type{real, imaginary}; }                         \
  SINTER_HIP_BOTH number hipCreal##f(type z) { return z.x; }                                                         \
  SINTER_HIP_BOTH number hipCimag##f(type z) { return z.y; }                                                         \
  SINTER_HIP_BOTH type hipConj##f(type z) { return type{z.x, -z.y}; }                                                \
  SINTER_HIP_BOTH number hipCsqabs##f(type z) { return z.x * z.x + z.y * z.y; }                                      \
  SINTER_HIP_BOTH number hipCabs##f(type z) { return hypot##f(z.x, z.y); }                                           \
  SINTER_HIP_BOTH type hipCadd##f(type a, type b) { return type{a.x + b.x, a.y + b.y}; }                             \
  SINTER_HIP_BOTH type hipCsub##f(type a, type b) { return type{a.x - b.x, a.y - b.y}; }                             \
  SINTER_HIP_BOTH type hipCmul##f(type a, type b) { return type{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }     \
  SINTER_HIP_BOTH type hipCfma##f(type a, type b, type c) { return hipCadd##f(hipCmul##f(a, b), c); }                \
  SINTER_HIP_BOTH type hipCdiv##f(type a, type b) {                                                                  \
    if (fabs##f(b.x) >= fabs##f(b.y)) {                                                                              \
      const number ratio = b.y / b.x, divisor = b.x + b.y * ratio;                                                   \
      return type{(a.x + a.y * ratio) / divisor, (a.y - a.x * ratio) / divisor};                                     \
    }                                                                                                                \
    const number ratio = b.x / b.y, divisor = b.x * ratio + b.y;                                                     \
    return type{(a.x * ratio + a.y) / divisor, (a.y * ratio - a.x) / divisor};                                       \
  }
SINTER_HIP_COMPLEX(hipFloatComplex, float, f, make_hipFloatComplex)
SINTER_HIP_COMPLEX(hipDoubleComplex, double, , make_hipDoubleComplex)
#undef SINTER_HIP_COMPLEX

SINTER_HIP_BOTH hipComplex make_hipComplex(float real, float imaginary) { return hipComplex{real, imaginary}; }
SINTER_HIP_BOTH hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) { return hipDoubleComplex{z.x, z.y}; }
SINTER_HIP_BOTH hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return hipFloatComplex{static_cast<float>(z.x), static_cast<float>(z.y)};
}

#endif
