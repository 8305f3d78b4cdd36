// Functions that split a number or write a second result.
#include "../../generic/exponent.hpp"

#include "../../generic/math.hpp"
#include "libclc.hpp"

namespace clc {
f32 sin(f32) asm("_Z3sinf");
f64 sin(f64) asm("_Z3sind");
f32 cos(f32) asm("_Z3cosf");
f64 cos(f64) asm("_Z3cosd");
f32 sinpi(f32) asm("_Z5sinpif");
f64 sinpi(f64) asm("_Z5sinpid");
f32 cospi(f32) asm("_Z5cospif");
f64 cospi(f64) asm("_Z5cospid");
f32 remquo(f32, f32, PRIVATE i32 *) asm("_Z6remquoffPU3AS5i");
f64 remquo(f64, f64, PRIVATE i32 *) asm("_Z6remquoddPU3AS5i");
f32 pown(f32, i32) asm("_Z4pownfi");
f64 pown(f64, i32) asm("_Z4powndi");
} // namespace clc

template <class T> static T frexp(T x, PRIVATE i32 *exponent) {
  i32 found;
  T fraction = math::frexp(x, &found);
  *exponent = found;
  return fraction;
}
// T is computed as WIDE.
#define PARTS(T, WIDE)                                                                                                 \
  extern "C" T __ocml_frexp_##T(T x, PRIVATE i32 *exponent) { return (T)frexp((WIDE)x, exponent); }                    \
  extern "C" i32 __ocml_ilogb_##T(T x) { return math::ilogb((WIDE)x); }                                                \
  extern "C" T __ocml_ldexp_##T(T x, i32 exponent) { return (T)math::ldexp((WIDE)x, exponent); }                       \
  extern "C" T __ocml_scalbn_##T(T x, i32 exponent) { return (T)math::ldexp((WIDE)x, exponent); }                      \
  extern "C" T __ocml_fdim_##T(T x, T y) { return (T)math::fdim((WIDE)x, (WIDE)y); }                                   \
  extern "C" T __ocml_pown_##T(T x, i32 n) { return (T)clc::pown((WIDE)x, n); }                                        \
  extern "C" T __ocml_remquo_##T(T x, T y, PRIVATE i32 *quotient) {                                                    \
    return (T)clc::remquo((WIDE)x, (WIDE)y, quotient);                                                                 \
  }                                                                                                                    \
  extern "C" T __ocml_modf_##T(T x, PRIVATE T *whole) {                                                                \
    WIDE found;                                                                                                        \
    WIDE rest = math::modf((WIDE)x, &found);                                                                           \
    *whole = (T)found;                                                                                                 \
    return (T)rest;                                                                                                    \
  }                                                                                                                    \
  extern "C" T __ocml_sincos_##T(T x, PRIVATE T *cosine) {                                                             \
    *cosine = (T)clc::cos((WIDE)x);                                                                                    \
    return (T)clc::sin((WIDE)x);                                                                                       \
  }                                                                                                                    \
  extern "C" T __ocml_sincospi_##T(T x, PRIVATE T *cosine) {                                                           \
    *cosine = (T)clc::cospi((WIDE)x);                                                                                  \
    return (T)clc::sinpi((WIDE)x);                                                                                     \
  }

PARTS(f16, f32)
PARTS(f32, f32)
PARTS(f64, f64)
