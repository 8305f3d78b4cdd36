// Functions that split a number or write a second result.
#include "../../generic/exponent.hpp"

#include "../../generic/math.hpp"
#include "libclc.hpp"

namespace clc {
f64 sin(f64) asm("_Z3sind");
f64 cos(f64) asm("_Z3cosd");
f32 sinpi(f32) asm("_Z5sinpif");
f64 sinpi(f64) asm("_Z5sinpid");
f32 cospi(f32) asm("_Z5cospif");
f64 cospi(f64) asm("_Z5cospid");
f32 remquo(f32, f32, i32 *) asm("_Z6remquoffPi");
f64 remquo(f64, f64, i32 *) asm("_Z6remquoddPi");
f32 pown(f32, i32) asm("_Z4pownfi");
f64 pown(f64, i32) asm("_Z4powndi");
} // namespace clc

#define PARTS(T, SUFFIX)                                                                                               \
  extern "C" T __nv_frexp##SUFFIX(T x, i32 *exponent) { return math::frexp(x, exponent); }                               \
  extern "C" i32 __nv_ilogb##SUFFIX(T x) { return math::ilogb(x); }                                                           \
  extern "C" T __nv_ldexp##SUFFIX(T x, i32 exponent) { return math::ldexp(x, exponent); }                                \
  extern "C" T __nv_scalbn##SUFFIX(T x, i32 exponent) { return math::ldexp(x, exponent); }                               \
  extern "C" T __nv_modf##SUFFIX(T x, T *whole) { return math::modf(x, whole); }                                        \
  extern "C" T __nv_fdim##SUFFIX(T x, T y) { return math::fdim(x, y); }                                                 \
  extern "C" T __nv_powi##SUFFIX(T x, i32 n) { return clc::pown(x, n); }                                                \
  extern "C" T __nv_remquo##SUFFIX(T x, T y, i32 *quotient) { return clc::remquo(x, y, quotient); }                     \
  extern "C" void __nv_sincospi##SUFFIX(T x, T *sine, T *cosine) {                                                      \
    *sine = clc::sinpi(x);                                                                                             \
    *cosine = clc::cospi(x);                                                                                           \
  }

PARTS(f32, f)
PARTS(f64, )

extern "C" void __nv_sincos(f64 x, f64 *sine, f64 *cosine) {
  *sine = clc::sin(x);
  *cosine = clc::cos(x);
}

// The approximation is accurate to 2 units in the last place, OpenCL's bound; a multiple of it is
// not.
extern "C" f32 __nv_rsqrtf(f32 x) { return __nvvm_rsqrt_approx_f(x); }
extern "C" f64 __nv_rsqrt(f64 x) { return 1 / math::sqrt(x); }
