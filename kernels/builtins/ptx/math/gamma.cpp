// The gamma function: libclc's overflows in intermediate results.
#include "../../generic/types.hpp"

namespace math {
f64 exp(f64) asm("_Z3expd");
f64 pow(f64, f64) asm("_Z3powdd");
f64 sinpi(f64) asm("_Z5sinpid");
} // namespace math

#include "../../generic/gamma.hpp"

extern "C" f32 __nv_tgammaf(f32 x) { return (f32)math::tgamma((f64)x); }
extern "C" f64 __nv_tgamma(f64 x) { return math::tgamma(x); }
