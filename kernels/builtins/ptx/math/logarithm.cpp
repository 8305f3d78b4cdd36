// f32 logarithms.
#include "logarithm.hpp"

namespace {
using namespace math;

constexpr f32 ln_2 = 0x1.62e43p-1f, log2_e = 0x1.715476p0f, log10_e = 0x1.bcb7b2p-2f;

f32 log(f32 x) {
  binary b = split_binary(x, two_thirds);
  return with_special_logarithms(x, fma(b.n, ln_2, log_near_1(b.f)));
}

f32 log2(f32 x) {
  binary b = split_binary(x, two_thirds);
  return with_special_logarithms(x, fma(log_near_1(b.f), log2_e, b.n));
}

// The smallest terms first: the factors are not exact in f32.
f32 log10(f32 x) {
  constexpr f32 log10_2 = 0x1.344136p-2f, log10_2_low = -0x1.ec10cp-27f;
  binary b = split_binary(x, two_thirds);
  f32 behind = b.f * b.f * log_behind_first(b.f);
  f32 sum = fma(b.f, log10_e, fma(behind, log10_e, b.n * log10_2_low));
  return with_special_logarithms(x, fma(b.n, log10_2, sum));
}

// 1 + x = 2^n * (1 + f), where f is 2^-n * x + (2^-n - 1), rounded once. 4 * 2^-n is a normal
// number for every n.
f32 log1p(f32 x) {
  f32 sum = x + 1;
  u32 exponent = exponent_bits(sum, two_thirds);
  f32 scale = from_bits(bits(4.0f) - exponent);
  f32 f = fma(0.25f * x, scale, fma(0.25f, scale, -1.0f));
  f32 n = (f32)(i32)exponent * 0x1p-23f;
  f32 result = with_special_logarithms(sum, fma(n, ln_2, log_near_1(f)));
  return fabs(x) < 0x1p-25f ? x : result;
}

} // namespace

extern "C" {
f32 __nv_logf(f32 x) { return log(x); }
f32 __nv_log2f(f32 x) { return log2(x); }
f32 __nv_log10f(f32 x) { return log10(x); }
f32 __nv_log1pf(f32 x) { return log1p(x); }
}
