// The gamma function, which libclc does not have.
#include "../../generic/types.hpp"

namespace math {
f64 exp(f64) asm("_Z3expd");
f64 pow(f64, f64) asm("_Z3powdd");
f64 sinpi(f64) asm("_Z5sinpid");
} // namespace math

#include "../../generic/gamma.hpp"

extern "C" f16 __ocml_tgamma_f16(f16 x) { return (f16)math::tgamma((f64)x); }
extern "C" f32 __ocml_tgamma_f32(f32 x) { return (f32)math::tgamma((f64)x); }
extern "C" f64 __ocml_tgamma_f64(f64 x) { return math::tgamma(x); }
