// Correctly rounded functions that LLVM's code generator supports.
#include "../../generic/exact.hpp"
#include "libclc.hpp"

LIBRARY1(ceil, math::ceil)
LIBRARY2(copysign, math::copysign)
LIBRARY1(fabs, math::fabs)
LIBRARY1(floor, math::floor)
LIBRARY2(fmax, math::fmax)
LIBRARY2(fmin, math::fmin)
LIBRARY1(nearbyint, math::rint)
LIBRARY1(rint, math::rint)
LIBRARY1(round, math::round)
LIBRARY1(sqrt, math::sqrt)
LIBRARY1(trunc, math::trunc)

extern "C" f16 __ocml_fma_f16(f16 x, f16 y, f16 z) { return __builtin_fmaf16(x, y, z); }
extern "C" f32 __ocml_fma_f32(f32 x, f32 y, f32 z) { return math::fma(x, y, z); }
extern "C" f64 __ocml_fma_f64(f64 x, f64 y, f64 z) { return math::fma(x, y, z); }
