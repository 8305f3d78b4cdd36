// Functions of libclc, some with corrected special values, or of the code generator.
#include "libclc.hpp"

// Must be computed in its own type: the next value of a wider type is another one.
namespace clc {
f16 nextafter(f16, f16) asm("_Z9nextafterDhDh");
}
#include "../../generic/libclc_corrected.hpp"

FROM_CLC1(4, acos)
FROM_CLC1(5, acosh)
FROM_CLC1(4, asin)
FROM_CLC1(5, asinh)
ODD_FROM_CLC1(4, atan)
FROM_CLC1(5, atanh)
FROM_CLC1(4, cbrt)
FROM_CLC1(3, cos)
ODD_FROM_CLC1(3, erf)
ODD_FROM_CLC1(5, expm1)
FROM_CLC1(5, log1p)
FROM_CLC1(4, logb)
ODD_FROM_CLC1(3, sin)
ODD_FROM_CLC1(3, tan)
FROM_CLC1(4, tanh)
FROM_CLC2(5, atan2)
FROM_CLC2(5, hypot)
FROM_CLC2(3, pow)

CLC1(3, exp)
CLC1(4, exp2)
CLC1(5, exp10)
CLC1(3, log)
CLC1(5, log10)
CLC1(4, log2)

// LLVM's f32 lowering keeps OpenCL's bounds.
#define GENERATED(NAME)                                                                                                \
  static f32 NAME(f32 x) { return __builtin_##NAME##f(x); }                                                            \
  static f64 NAME(f64 x) { return clc::NAME(x); }

GENERATED(exp)
GENERATED(exp10)
GENERATED(exp2)
GENERATED(log)
GENERATED(log10)
GENERATED(log2)

LIBRARY1(cosh, cosh)
LIBRARY1(cospi, cospi)
LIBRARY1(erfc, erfc)
LIBRARY1(exp, exp)
LIBRARY1(exp10, exp10)
LIBRARY1(exp2, exp2)
LIBRARY1(log, log)
LIBRARY1(log10, log10)
LIBRARY1(log2, log2)
LIBRARY2(fmod, fmod)
LIBRARY2(remainder, remainder)
LIBRARY1(lgamma, lgamma)
LIBRARY1(sinh, sinh)
LIBRARY1(sinpi, sinpi)

extern "C" f16 __ocml_nextafter_f16(f16 x, f16 y) { return nextafter(x, y); }
extern "C" f32 __ocml_nextafter_f32(f32 x, f32 y) { return nextafter(x, y); }
extern "C" f64 __ocml_nextafter_f64(f64 x, f64 y) { return nextafter(x, y); }

// The instruction flushes subnormal numbers.
static f32 rsqrt(f32 x) {
  bool is_small = x < 0x1p-100f;
  f32 root = __builtin_amdgcn_rsqf(is_small ? x * 0x1p24f : x);
  return is_small ? root * 0x1p12f : root;
}
static f64 rsqrt(f64 x) { return 1 / __builtin_sqrt(x); }
LIBRARY1(rsqrt, rsqrt)
