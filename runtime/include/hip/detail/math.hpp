// Mathematics. The functions of the C library are device functions as they are; here are those that
// it lacks, and approximations.
#ifndef HIP_DETAIL_MATH_HPP
#define HIP_DETAIL_MATH_HPP

#include "atomics.hpp"
#include "bessel.hpp"
#include "conversions.hpp"
#include "integers.hpp"
#include "packed.hpp"
#include "rounded.hpp"
#include "special.hpp"

#include <cmath>
#include <math.h>

#ifdef __HIP__
// Host code has these too, and has the library's where `std` has them.
#define SINTER_HIP_MINMAX(type)                                                                                      \
  SINTER_HIP_BOTH type min(type a, type b) { return b < a ? b : a; }                                                 \
  SINTER_HIP_BOTH type max(type a, type b) { return a < b ? b : a; }
SINTER_HIP_MINMAX(int)
SINTER_HIP_MINMAX(unsigned)
SINTER_HIP_MINMAX(long)
SINTER_HIP_MINMAX(unsigned long)
SINTER_HIP_MINMAX(long long)
SINTER_HIP_MINMAX(unsigned long long)
#undef SINTER_HIP_MINMAX
// Between signed and unsigned numbers the result is unsigned.
#define SINTER_HIP_MIXED(a_type, b_type, type)                                                                       \
  SINTER_HIP_BOTH type min(a_type a, b_type b) { return min(static_cast<type>(a), static_cast<type>(b)); }           \
  SINTER_HIP_BOTH type max(a_type a, b_type b) { return max(static_cast<type>(a), static_cast<type>(b)); }
SINTER_HIP_MIXED(int, unsigned, unsigned)
SINTER_HIP_MIXED(unsigned, int, unsigned)
SINTER_HIP_MIXED(long, unsigned long, unsigned long)
SINTER_HIP_MIXED(unsigned long, long, unsigned long)
SINTER_HIP_MIXED(long long, unsigned long long, unsigned long long)
SINTER_HIP_MIXED(unsigned long long, long long, unsigned long long)
#undef SINTER_HIP_MIXED
SINTER_HIP_BOTH float min(float a, float b) { return fminf(a, b); }
SINTER_HIP_BOTH float max(float a, float b) { return fmaxf(a, b); }
SINTER_HIP_BOTH double min(double a, double b) { return fmin(a, b); }
SINTER_HIP_BOTH double max(double a, double b) { return fmax(a, b); }
SINTER_HIP_BOTH double min(float a, double b) { return fmin(static_cast<double>(a), b); }
SINTER_HIP_BOTH double max(float a, double b) { return fmax(static_cast<double>(a), b); }
SINTER_HIP_BOTH double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
SINTER_HIP_BOTH double max(double a, float b) { return fmax(a, static_cast<double>(b)); }
SINTER_HIP_BOTH unsigned umin(unsigned a, unsigned b) { return min(a, b); }
SINTER_HIP_BOTH unsigned umax(unsigned a, unsigned b) { return max(a, b); }

// Devices have a function of their own.
SINTER_HIP_BOTH float rsqrtf(float x) {
  if (__acpp_sscp_is_device)
    return __acpp_sscp_rsqrt_f32(x);
  return 1.0f / sqrtf(x);
}
SINTER_HIP_BOTH double rsqrt(double x) {
  if (__acpp_sscp_is_device)
    return __acpp_sscp_rsqrt_f64(x);
  return 1.0 / sqrt(x);
}
SINTER_HIP_BOTH float rcbrtf(float x) { return 1.0f / cbrtf(x); }
SINTER_HIP_BOTH double rcbrt(double x) { return 1.0 / cbrt(x); }
SINTER_HIP_BOTH float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
SINTER_HIP_BOTH double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
SINTER_HIP_BOTH double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
SINTER_HIP_BOTH double norm4d(double x, double y, double z, double w) { return hypot(norm3d(x, y, z), w); }
SINTER_HIP_BOTH double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
SINTER_HIP_BOTH double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
SINTER_HIP_BOTH double norm(int count, const double *x) {
  double result = 0;
  for (int i = 0; i < count; ++i)
    result = hypot(result, x[i]);
  return result;
}
SINTER_HIP_BOTH double rnorm(int count, const double *x) { return 1.0 / norm(count, x); }
// No square of a float is beyond the range of double.
SINTER_HIP_BOTH float norm4df(float x, float y, float z, float w) {
  const double a = x, b = y, c = z, d = w;
  return static_cast<float>(sqrt(a * a + b * b + c * c + d * d));
}
SINTER_HIP_BOTH float norm3df(float x, float y, float z) { return norm4df(x, y, z, 0.0f); }
SINTER_HIP_BOTH float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
SINTER_HIP_BOTH float rnorm4df(float x, float y, float z, float w) { return 1.0f / norm4df(x, y, z, w); }
SINTER_HIP_BOTH float normf(int count, const float *x) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += static_cast<double>(x[i]) * x[i];
  return static_cast<float>(sqrt(sum));
}
SINTER_HIP_BOTH float rnormf(int count, const float *x) { return 1.0f / normf(count, x); }
SINTER_HIP_DEVICE float sinpif(float x) { return __acpp_sscp_sinpi_f32(x); }
SINTER_HIP_DEVICE double sinpi(double x) { return __acpp_sscp_sinpi_f64(x); }
SINTER_HIP_DEVICE float cospif(float x) { return __acpp_sscp_cospi_f32(x); }
SINTER_HIP_DEVICE double cospi(double x) { return __acpp_sscp_cospi_f64(x); }
SINTER_HIP_DEVICE void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
SINTER_HIP_DEVICE void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
SINTER_HIP_BOTH float fdividef(float x, float y) { return x / y; }
SINTER_HIP_BOTH double fdivide(double x, double y) { return x / y; }
// Of float by the name of double, as in C++.
#define SINTER_HIP_OVERLOAD(where, name)                                                                             \
  where float name(float x) { return name##f(x); }
SINTER_HIP_OVERLOAD(SINTER_HIP_BOTH, rsqrt)
SINTER_HIP_OVERLOAD(SINTER_HIP_BOTH, rcbrt)
SINTER_HIP_OVERLOAD(SINTER_HIP_BOTH, exp10)
SINTER_HIP_OVERLOAD(SINTER_HIP_BOTH, erfcx)
SINTER_HIP_OVERLOAD(SINTER_HIP_BOTH, erfinv)
SINTER_HIP_OVERLOAD(SINTER_HIP_BOTH, erfcinv)
SINTER_HIP_OVERLOAD(SINTER_HIP_BOTH, normcdf)
SINTER_HIP_OVERLOAD(SINTER_HIP_BOTH, normcdfinv)
SINTER_HIP_OVERLOAD(SINTER_HIP_BOTH, cyl_bessel_i0)
SINTER_HIP_OVERLOAD(SINTER_HIP_BOTH, cyl_bessel_i1)
SINTER_HIP_OVERLOAD(SINTER_HIP_DEVICE, sinpi)
SINTER_HIP_OVERLOAD(SINTER_HIP_DEVICE, cospi)
#undef SINTER_HIP_OVERLOAD
SINTER_HIP_BOTH long long llmin(long long a, long long b) { return min(a, b); }
SINTER_HIP_BOTH long long llmax(long long a, long long b) { return max(a, b); }
SINTER_HIP_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
SINTER_HIP_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
SINTER_HIP_BOTH float saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

// The C library has these names for
// functions of its own, which code of host and device would prefer.
#define __sinf sinter_hip_sinf
#define __cosf sinter_hip_cosf
#define __tanf sinter_hip_tanf
#define __expf sinter_hip_expf
#define __exp10f sinter_hip_exp10f
#define __logf sinter_hip_logf
#define __log2f sinter_hip_log2f
#define __log10f sinter_hip_log10f
#define __powf sinter_hip_powf
#define __sincosf sinter_hip_sincosf
#define __tanhf sinter_hip_tanhf
// Approximations; host code calls the functions themselves. OpenCL leaves the accuracy of its own
// open, and some have no more than 12 bits.
#define SINTER_HIP_APPROXIMATED(approximate, ordinary)                                                               \
  return __acpp_sscp_is_device && __acpp_sscp_jit_reflect_compiler_backend() != sinter_hip_spirv_compiler            \
             ? approximate                                                                                           \
             : ordinary
#define SINTER_HIP_FAST(name, operation)                                                                             \
  SINTER_HIP_BOTH float name(float x) {                                                                              \
    SINTER_HIP_APPROXIMATED(__acpp_sscp_native_##operation##_f32(x), operation##f(x));                               \
  }
SINTER_HIP_FAST(__sinf, sin)
SINTER_HIP_FAST(__cosf, cos)
SINTER_HIP_FAST(__tanf, tan)
SINTER_HIP_FAST(__expf, exp)
SINTER_HIP_FAST(__exp10f, exp10)
SINTER_HIP_FAST(__logf, log)
SINTER_HIP_FAST(__log2f, log2)
SINTER_HIP_FAST(__log10f, log10)
#undef SINTER_HIP_FAST
SINTER_HIP_BOTH void __sincosf(float x, float *s, float *c) { *s = __sinf(x), *c = __cosf(x); }
SINTER_HIP_BOTH float __powf(float x, float y) {
  SINTER_HIP_APPROXIMATED(__acpp_sscp_native_powr_f32(x, y), exp2f(y * log2f(x)));
}
SINTER_HIP_BOTH float __tanhf(float x) { return tanhf(x); }
SINTER_HIP_BOTH float __fdividef(float x, float y) {
  SINTER_HIP_APPROXIMATED(__acpp_sscp_native_divide_f32(x, y), x / y);
}
#undef SINTER_HIP_APPROXIMATED
SINTER_HIP_DEVICE float __saturatef(float x) { return saturatef(x); }

#endif

#endif
