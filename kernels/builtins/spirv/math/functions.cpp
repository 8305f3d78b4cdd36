// Functions of libclc, some with corrected special values, and those of the host CPU that need no
// operation that rounds once, which is a hundred instructions on Vulkan.
#include "../../generic/libclc_corrected.hpp"
#include "../../host/lanes/exponential.hpp"
#include "../../host/lanes/logarithm.hpp"
#include "library.hpp"

FROM_CLC1(4, acos)
FROM_CLC1(5, acosh)
FROM_CLC1(6, acospi)
FROM_CLC1(4, asin)
FROM_CLC1(5, asinh)
FROM_CLC1(6, asinpi)
ODD_FROM_CLC1(4, atan)
FROM_CLC1(5, atanh)
ODD_FROM_CLC1(6, atanpi)
FROM_CLC1(4, cbrt)
FROM_CLC1(3, cos)
ODD_FROM_CLC1(3, erf)
FROM_CLC1(4, logb)
ODD_FROM_CLC1(3, sin)
ODD_FROM_CLC1(3, tan)
FROM_CLC1(4, tanh)
FROM_CLC2(5, atan2)
FROM_CLC2(7, atan2pi)
FROM_CLC2(4, fdim)
FROM_CLC2(5, hypot)
FROM_CLC2(6, maxmag)
FROM_CLC2(6, minmag)
FROM_CLC2(3, pow)
FROM_CLC2(4, powr)
CLC_WHOLE(4, pown)
CLC_WHOLE(5, rootn)

// Vulkan's own is as accurate as OpenCL's, but undefined for zeros and negative numbers.
extern "C" [[gnu::const]] f32 reciprocal_root(f32) asm("__sinter_spirv_ocl_native_rsqrt__f32");
static f32 rsqrt(f32 x) {
  const f32 root = reciprocal_root(x);
  const f32 other = x == 0 ? __builtin_copysignf(__builtin_inff(), x) : __builtin_nanf("");
  return x > 0 ? root : other;
}
static f64 rsqrt(f64 x) { return 1 / __builtin_sqrt(x); }

// libclc converts n to f32, of which all large numbers are even; of other powers and roots it has
// the right size.
static bool is_exact(i32 n) { return n >= -(1 << 24) && n <= 1 << 24; }
static f32 pown(f32 x, i32 n) {
  if (is_exact(n))
    return clc::pown(x, n);
  const i32 rest = n % 256;
  const f32 size = clc::pow(__builtin_fabsf(x), (f32)(n - rest)) * clc::pow(__builtin_fabsf(x), (f32)rest);
  return n & 1 ? __builtin_copysignf(size, x) : size;
}
static f64 pown(f64 x, i32 n) { return clc::pown(x, n); }
// libclc makes zeros of roots below 2^-125, which only x itself and its reciprocal can be.
static f32 rootn(f32 x, i32 n) {
  if (n == 1 || n == -1)
    return n == 1 ? x : 1 / x;
  return is_exact(n) || !(n & 1) ? clc::rootn(x, n) : __builtin_copysignf(clc::rootn(__builtin_fabsf(x), n), x);
}
static f64 rootn(f64 x, i32 n) { return clc::rootn(x, n); }

LIBRARY1(cosh, cosh)
LIBRARY1(cospi, cospi)
LIBRARY1(erfc, erfc)
LIBRARY1(exp, math::exp)
LIBRARY1(exp2, math::exp2)
LIBRARY1(exp10, math::exp10)
LIBRARY1(expm1, math::expm1)
LIBRARY1(lgamma, lgamma)
LIBRARY1(log, math::log)
LIBRARY1(log2, math::log2)
LIBRARY1(log10, math::log10)
LIBRARY1(log1p, math::log1p)
LIBRARY1(rsqrt, rsqrt)
LIBRARY1(sinh, sinh)
LIBRARY1(sinpi, sinpi)
LIBRARY2(fmod, fmod)
LIBRARY2(nextafter, nextafter)
LIBRARY2(remainder, remainder)
LIBRARY_WHOLE(pown, pown)
LIBRARY_WHOLE(rootn, rootn)
