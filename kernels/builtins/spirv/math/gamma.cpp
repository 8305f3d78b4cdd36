// The gamma function, which libclc does not have.
#include "library.hpp"

namespace math {
f64 exp(f64) asm("_Z3expd");
f64 pow(f64, f64) asm("_Z3powdd");
f64 sinpi(f64) asm("_Z5sinpid");
} // namespace math

#include "../../generic/gamma.hpp"

DEFINE(f32, tgamma, (f32 x), (f32)math::tgamma((f64)x))
DEFINE(f64, tgamma, (f64 x), math::tgamma(x))
