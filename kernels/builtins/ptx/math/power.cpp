// f32 powers and the cube root.
#include "exponential.hpp"
#include "logarithm.hpp"

namespace {
using namespace math;

// A number and its rounding error.
struct pair {
  f32 high, low;
};

// The base-2 logarithm of a positive finite x, to about 2^-30. With s = f / (2 + f), log2(1 + f) is
// 2 artanh(s) log2(e). The minimax polynomial replaces the series after its first term, for m from
// 0.707 to 1.414; the relative error of the sum is at most 2^-36.
pair log2_pair(f32 x) {
  constexpr f32 factor = 0x1.715476p1f, factor_low = 0x1.4ae0cp-25f;
  binary b = split_binary(x, 0x1.6a09e6p-1f);
  f32 inverse = approximate_reciprocal(b.f + 2), s = product(b.f, inverse);
  // Both of the inner steps are exact.
  f32 s_low = fma(-s, b.f, fma(-2.0f, s, b.f)) * inverse;
  f32 z = s * s, p = polynomial(z, 0x1.ec709ep-1f, 0x1.2776ep-1f, 0x1.a5d044p-2f, 0x1.5890b6p-2f);
  f32 first = product(s, factor), rest = fma(s, factor, -first);
  rest = fma(s * z, p, fma(s, factor_low, fma(s_low, factor, rest)));
  f32 sum = b.n + first, low = (b.n - sum) + first + rest, high = sum + low;
  return {high, (sum - high) + low};
}

// x to the power y for a positive finite x.
f32 positive_power(f32 x, f32 y) {
  pair l = log2_pair(x);
  f32 exponent = product(l.high, y);
  f32 low = fma(l.low, y, fma(l.high, y, -exponent));
  whole_power p = nearest_power(exponent, 1.0f);
  f32 rest = exponent - p.n;
  // Beyond, only the exponent matters, and its error may be NaN.
  return approximate_exp2(fabs(exponent) < 512 ? rest + low : rest) * p.scale;
}

// The power function of IEEE 754. The remainder of y modulo 2 shows if y is an integer, and if it
// is odd. The results are selected: no case is worth a branch.
f32 pow(f32 x, f32 y) {
  f32 a = fabs(x), left = fma(-2.0f, trunc(0.5f * y), y);
  bool is_odd = fabs(left) == 1, is_special = (a == 0) | (a == infinity);
  bool is_undefined = (x < 0) & (left != 0) & !is_odd & (fabs(y) != infinity) & !is_special;
  u32 special = y < 0 ? bits(a) ^ bits(infinity) : bits(a);
  f32 result = positive_power(a, y);
  result = is_special ? from_bits(special) : result;
  result = a == 1 ? 1 : result;
  result = from_bits(bits(result) | (is_odd ? bits(x) & 0x80000000 : 0));
  result = is_undefined ? __builtin_nanf("") : result;
  result = ((x != x) | (y != y)) ? x + y : result;
  return ((x == 1) | (y == 0)) ? 1 : result;
}

// One Newton step from an approximation with an error of 2^-16.
f32 cbrt(f32 x) {
  f32 a = fabs(x), t = approximate_exp2(approximate_log2(a) * 0x1.555556p-2f);
  f32 root = fma(fma(a, approximate_reciprocal(t * t), -t), 0x1.555556p-2f, t);
  return a + a == a ? x : __builtin_copysignf(root, x);
}

} // namespace

extern "C" {
f32 __nv_powf(f32 x, f32 y) { return pow(x, y); }
f32 __nv_cbrtf(f32 x) { return cbrt(x); }
}
