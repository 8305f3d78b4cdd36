// f32 sine, cosine and tangent.
#include "instructions.hpp"

namespace {
using namespace math;

// An angle reduced by whole quarter turns, and their number, of which the lowest two bits are used.
struct quarters {
  f32 rest;
  u32 count;
};

// Up to here a product with three parts of pi/2 is accurate.
constexpr f32 moderate = 0x1p17f;

// The first step is exact: the difference is a multiple of 2^-24 and below 1. All parts are
// subtracted, so that a zero keeps its sign.
quarters split_moderate(f32 x) {
  f32 sum = fma(x, 0x1.45f306p-1f, whole), n = sum - whole;
  return {fma(n, -0x1.84698ap-48f, fma(n, -0x1.4442dp-24f, fma(n, -0x1.921fb4p0f, x))), bits(sum)};
}

// 32 bits of the two words, from bit `start` on.
u32 funnel(u32 high, u32 low, u32 start) { return (u32)(((u64)high << 32 | low) << start >> 32); }

// Multiplies the significand of x by the relevant bits of 2/pi: higher bits make whole turns, lower
// ones are less than 2^-62 of a quarter (M. Payne and R. Hanek, Radian Reduction for Trigonometric
// Functions, 1983). The words are 2/pi after 32 zero bits. They are selected instead of loaded,
// since a table would be in memory.
quarters split_large(f32 x) {
  u32 start = ((bits(x) >> 23) & 0xff) - 128, significand = bits(x) << 8 | 0x80000000;
  bool skip_two = start & 64, skip_one = start & 32;
  u32 a = skip_two ? 0x4e441529 : 0, b = skip_two ? 0xfc2757d1 : 0xa2f9836e, c = skip_two ? 0xf534ddc0 : 0x4e441529;
  u32 d = skip_two ? 0xdb629599 : 0xfc2757d1, e = skip_two ? 0x3c439041 : 0xf534ddc0;
  u32 first = skip_one ? b : a, second = skip_one ? c : b, third = skip_one ? d : c, fourth = skip_one ? e : d;
  u64 low = (u64)significand * funnel(third, fourth, start & 31) >> 32;
  u64 turns = (u64)significand * funnel(second, third, start & 31) + low;
  turns += (u64)(significand * funnel(first, second, start & 31)) << 32;
  // Two bits of quarters, rounded, and a signed remainder.
  u32 count = (u32)(turns >> 62) + (u32)(turns >> 61 & 1);
  f32 rest = (f32)((f64)(i64)(turns << 2) * 0x1.921fb54442d18p-64);
  rest = fabs(x) == infinity ? __builtin_nanf("") : rest;
  return x < 0 ? quarters{-rest, 0 - count} : quarters{rest, count};
}

quarters split(f32 x) { return __builtin_expect(fabs(x) > moderate, 0) ? split_large(x) : split_moderate(x); }

// Minimax polynomial in r^2 of (sin(r) / r - 1) / r^2 for |r| <= 0.82; the relative error of the
// result is at most 2^-27.4. Adding positive zero keeps the sign of a zero result.
f32 short_sine(f32 r) {
  f32 z = r * r, p = polynomial(z, -0x1.55554p-3f, 0x1.11054p-7f, -0x1.989cb8p-13f);
  return fma(fma(z, p, 0.0f), r, r);
}

// Minimax polynomial in r^2 of (cos(r) - 1 + r^2 / 2) / r^4 for |r| <= 0.82; the relative error of
// the result is at most 2^-32.2.
f32 short_cosine(f32 r) {
  f32 z = r * r;
  return polynomial(z, 1.0f, -0.5f, 0x1.555546p-5f, -0x1.6c09cep-10f, 0x1.9941eep-16f);
}

f32 wave(f32 rest, u32 count) {
  f32 sine = short_sine(rest), cosine = short_cosine(rest), size = count & 1 ? cosine : sine;
  return from_bits(bits(size) ^ (count << 30 & 0x80000000));
}

// Minimax polynomial in r^2 of (tan(r) / r - 1) / r^2 for |r| <= 0.82; the relative error of the
// result is at most 2^-24.7.
f32 tan(f32 x) {
  quarters q = split(x);
  f32 z = q.rest * q.rest;
  f32 p = polynomial(z, 0x1.55547ap-2f, 0x1.1141bp-3f, 0x1.b30652p-5f, 0x1.a1cd6p-6f, 0x1.7b5f4p-10f, 0x1.53212ep-7f);
  f32 t = fma(z * p, q.rest, q.rest);
  f32 inverse = -approximate_reciprocal(t);
  return q.count & 1 ? inverse : t;
}

} // namespace

extern "C" {
f32 __nv_sinf(f32 x) {
  quarters q = split(x);
  return wave(q.rest, q.count);
}
f32 __nv_cosf(f32 x) {
  quarters q = split(x);
  return wave(q.rest, q.count + 1);
}
f32 __nv_tanf(f32 x) { return tan(x); }
void __nv_sincosf(f32 x, f32 *sine, f32 *cosine) {
  quarters q = split(x);
  *sine = wave(q.rest, q.count);
  *cosine = wave(q.rest, q.count + 1);
}
}
