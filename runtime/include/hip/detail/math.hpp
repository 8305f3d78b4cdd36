// Mathematics. The functions of the C library are device functions as they are; here are those that
// it lacks, and approximations.
#ifndef HIP_DETAIL_MATH_HPP
#define HIP_DETAIL_MATH_HPP

#include "atomics.hpp"
#include "conversions.hpp"

#include <cmath>
#include <math.h>

#ifdef __HIP__
// Host code has these too, and has the library's where `std` has them.
#define SINTER_HIP_MINMAX(type)                                                                                       \
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
#define SINTER_HIP_MIXED(a_type, b_type, type)                                                                        \
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

SINTER_HIP_BOTH float rsqrtf(float x) { return 1.0f / sqrtf(x); }
SINTER_HIP_BOTH double rsqrt(double x) { return 1.0 / sqrt(x); }
SINTER_HIP_BOTH float rsqrt(float x) { return rsqrtf(x); }
SINTER_HIP_BOTH float rcbrtf(float x) { return 1.0f / cbrtf(x); }
SINTER_HIP_BOTH double rcbrt(double x) { return 1.0 / cbrt(x); }
SINTER_HIP_BOTH float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
SINTER_HIP_BOTH double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
SINTER_HIP_BOTH float norm3df(float x, float y, float z) { return hypotf(hypotf(x, y), z); }
SINTER_HIP_BOTH double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
SINTER_HIP_BOTH float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
SINTER_HIP_BOTH double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
SINTER_HIP_DEVICE float sinpif(float x) { return __acpp_sscp_sinpi_f32(x); }
SINTER_HIP_DEVICE double sinpi(double x) { return __acpp_sscp_sinpi_f64(x); }
SINTER_HIP_DEVICE float cospif(float x) { return __acpp_sscp_cospi_f32(x); }
SINTER_HIP_DEVICE double cospi(double x) { return __acpp_sscp_cospi_f64(x); }
SINTER_HIP_DEVICE void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
SINTER_HIP_DEVICE void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
SINTER_HIP_BOTH float fdividef(float x, float y) { return x / y; }
SINTER_HIP_BOTH float saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

// Approximations.
#define SINTER_HIP_FAST(name, operation)                                                                              \
  SINTER_HIP_DEVICE float name(float x) { return __acpp_sscp_native_##operation##_f32(x); }
SINTER_HIP_FAST(__sinf, sin)
SINTER_HIP_FAST(__cosf, cos)
SINTER_HIP_FAST(__tanf, tan)
SINTER_HIP_FAST(__expf, exp)
SINTER_HIP_FAST(__exp10f, exp10)
SINTER_HIP_FAST(__logf, log)
SINTER_HIP_FAST(__log2f, log2)
SINTER_HIP_FAST(__log10f, log10)
#undef SINTER_HIP_FAST
SINTER_HIP_DEVICE void __sincosf(float x, float *s, float *c) { *s = __sinf(x), *c = __cosf(x); }
SINTER_HIP_DEVICE float __powf(float x, float y) { return __acpp_sscp_native_powr_f32(x, y); }
SINTER_HIP_DEVICE float __fdividef(float x, float y) { return __acpp_sscp_native_divide_f32(x, y); }
SINTER_HIP_DEVICE float __saturatef(float x) { return saturatef(x); }
SINTER_HIP_DEVICE float __tanhf(float x) { return tanhf(x); }

// Operations that are rounded to nearest and not contracted with others.
#define SINTER_HIP_ROUNDED(prefix, type, operation, op)                                                               \
  SINTER_HIP_DEVICE type prefix##operation##_rn(type a, type b) {                                                    \
    _Pragma("clang fp contract(off)") return a op b;                                                                 \
  }
SINTER_HIP_ROUNDED(__f, float, add, +)
SINTER_HIP_ROUNDED(__f, float, sub, -)
SINTER_HIP_ROUNDED(__f, float, mul, *)
SINTER_HIP_ROUNDED(__f, float, div, /)
SINTER_HIP_ROUNDED(__d, double, add, +)
SINTER_HIP_ROUNDED(__d, double, sub, -)
SINTER_HIP_ROUNDED(__d, double, mul, *)
SINTER_HIP_ROUNDED(__d, double, div, /)
#undef SINTER_HIP_ROUNDED
SINTER_HIP_DEVICE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SINTER_HIP_DEVICE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
SINTER_HIP_DEVICE float __fsqrt_rn(float x) { return sqrtf(x); }
SINTER_HIP_DEVICE double __dsqrt_rn(double x) { return sqrt(x); }
SINTER_HIP_DEVICE float __frsqrt_rn(float x) { return rsqrtf(x); }
SINTER_HIP_DEVICE float __frcp_rn(float x) { return 1.0f / x; }
SINTER_HIP_DEVICE double __drcp_rn(double x) { return 1.0 / x; }

// Integers.
SINTER_HIP_BOTH int __popc(unsigned x) { return __builtin_popcount(x); }
SINTER_HIP_BOTH int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SINTER_HIP_BOTH int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
SINTER_HIP_BOTH int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
SINTER_HIP_BOTH int __ffs(int x) { return x == 0 ? 0 : __builtin_ctz(static_cast<unsigned>(x)) + 1; }
SINTER_HIP_BOTH int __ffs(unsigned x) { return __ffs(static_cast<int>(x)); }
SINTER_HIP_BOTH int __ffsll(long long x) { return x == 0 ? 0 : __builtin_ctzll(static_cast<unsigned long long>(x)) + 1; }
SINTER_HIP_BOTH int __ffsll(unsigned long long x) { return __ffsll(static_cast<long long>(x)); }
SINTER_HIP_BOTH unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
SINTER_HIP_BOTH unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
SINTER_HIP_BOTH int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
SINTER_HIP_BOTH unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
SINTER_HIP_BOTH int mul24(int a, int b) { return __mul24(a, b); }
SINTER_HIP_BOTH int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
SINTER_HIP_BOTH unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
SINTER_HIP_BOTH unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
SINTER_HIP_BOTH long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
SINTER_HIP_BOTH int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
SINTER_HIP_BOTH unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
SINTER_HIP_BOTH unsigned __sad(int a, int b, unsigned c) {
  return (a < b ? static_cast<unsigned>(b) - a : static_cast<unsigned>(a) - b) + c;
}
SINTER_HIP_BOTH unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
SINTER_HIP_BOTH unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<unsigned>(both >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}
SINTER_HIP_BOTH unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31) >> 32);
}
SINTER_HIP_BOTH unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
SINTER_HIP_BOTH int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8)
    c += static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i);
  return c;
}
SINTER_HIP_BOTH unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8)
    c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
}
SINTER_HIP_BOTH unsigned __bitextract_u32(unsigned x, unsigned first, unsigned width) {
  first &= 31, width &= 31;
  return width == 0 ? 0 : x >> first & (1u << width) - 1;
}
SINTER_HIP_BOTH unsigned long long __bitextract_u64(unsigned long long x, unsigned first, unsigned width) {
  first &= 63, width &= 63;
  return width == 0 ? 0 : x >> first & (1ull << width) - 1;
}
SINTER_HIP_BOTH unsigned __bitinsert_u32(unsigned x, unsigned y, unsigned first, unsigned width) {
  first &= 31, width &= 31;
  const unsigned mask = (1u << width) - 1;
  return (x & ~(mask << first)) | (y & mask) << first;
}
#endif

#endif
