// Correctly rounded functions that are an instruction, or that LLVM's code generator supports.
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

extern "C" f32 __nv_fmaf(f32 x, f32 y, f32 z) { return math::fma(x, y, z); }
extern "C" f64 __nv_fma(f64 x, f64 y, f64 z) { return math::fma(x, y, z); }
