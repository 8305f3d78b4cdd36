// f64 exponential functions and logarithms.
#include "../../generic/exponent.hpp"

#include "instructions.hpp"

namespace {
using namespace math;

constexpr f64 infinite = __builtin_inf();
constexpr f64 log2_e = 0x1.71547652b82fep0, log2_e_low = 0x1.777d0ffda0d24p-56;
constexpr f64 log10_e = 0x1.bcb7b1526e50ep-2, log10_2 = 0x1.34413509f79ffp-2;
constexpr f64 ln_2 = 0x1.62e42fefa39efp-1, ln_2_low = 0x1.abc9e3b39803fp-56;

// 2 to the power x * (high + low): `high` is the rounded base-2 logarithm of the base, and `low`
// its rounding error. The power is 2^n (1 + r q), where q is the minimax polynomial of (2^r - 1) /
// r for |r| <= 0.5; the relative error of the result is at most 2^-55.
f64 power(f64 x, f64 high, f64 low) {
  constexpr f64 whole = 0x1.8p52;
  f64 sum = fma(x, high, whole), n = sum - whole, r = fma(x, low, fma(x, high, -n));
  f64 q = polynomial(r, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a4p-3, 0x1.c6b08d7049fe7p-5, 0x1.3b2ab6fba00fap-7,
                     0x1.5d87fe78cd7aap-10, 0x1.4309130edfbd7p-13, 0x1.ffcbfba956a3dp-17, 0x1.62bfc78a9aa6dp-20,
                     0x1.b5267d095c01dp-24, 0x1.e61b71d56b801p-28, 0x1.e79bbbd5693bap-32);
  // The exponent is applied in two halves, of which only the second can overflow or underflow.
  i32 exponent = (i32)bits(sum), half = exponent >> 1;
  f64 result = fma(r, q, 1.0) * power_of_2<f64>(half) * power_of_2<f64>(exponent - half);
  result = x * high > 1025 ? infinite : result;
  return x * high < -1080 ? 0 : result;
}

// x = 2^n * (1 + f), where 1 + f is from 0.707 to 1.414, and log(1 + f).
struct split {
  f64 n, rest;
};

// With s = f / (2 + f), the logarithm is f - (f^2 / 2 - s (f^2 / 2 + z P(z))), where z = s^2. P is
// the minimax polynomial of (log(1 + f) / s - 2) / z; the relative error of the logarithm is at
// most 2^-58.8.
f64 log_near_1(f64 f) {
  f64 d = f + 2, inverse = approximate_reciprocal(d), error = fma(-d, inverse, 1.0);
  inverse = fma(inverse, fma(error, error, error), inverse);
  f64 s = f * inverse, z = s * s, half = 0.5 * f * f;
  f64 p = polynomial(z, 0x1.5555555555592p-1, 0x1.999999997fd78p-2, 0x1.24924941f4f17p-2, 0x1.c71c52060f01dp-3,
                     0x1.74663fa0d500cp-3, 0x1.39a1a7170b6e7p-3, 0x1.2f0633557167cp-3);
  return f - (half - s * fma(z, p, half));
}

split split_log(f64 x) {
  bool is_small = x < 0x1p-1022;
  f64 normal = is_small ? x * 0x1p54 : x;
  // The lower half of the bits does not matter here.
  i32 exponent = (i32)((bits(normal) - bits(0x1.6a09ep-1)) >> 32) >> 20;
  f64 rest = from_bits(bits(normal) - ((u64)(u32)exponent << 52)) - 1;
  return {(f64)(exponent - (is_small ? 54 : 0)), log_near_1(rest)};
}

f64 with_special_logarithms(f64 x, f64 logarithm) {
  f64 result = bits(x) >= bits(infinite) ? fma(x, infinite, infinite) : logarithm;
  return x == 0 ? -infinite : result;
}

} // namespace

extern "C" {
f64 __nv_exp(f64 x) { return power(x, log2_e, log2_e_low); }
f64 __nv_exp2(f64 x) { return power(x, 1, 0); }
f64 __nv_exp10(f64 x) { return power(x, 0x1.a934f0979a371p1, 0x1.7f2495fb7fa6dp-53); }
f64 __nv_log(f64 x) {
  split l = split_log(x);
  return with_special_logarithms(x, fma(l.n, ln_2, fma(l.n, ln_2_low, l.rest)));
}
f64 __nv_log2(f64 x) {
  split l = split_log(x);
  return with_special_logarithms(x, fma(l.rest, log2_e, l.n));
}
f64 __nv_log10(f64 x) {
  split l = split_log(x);
  return with_special_logarithms(x, fma(l.n, log10_2, l.rest * log10_e));
}
}
