// The exponential function and its parts.
#pragma once
#include "lanes.hpp"

namespace math {
namespace {

// An argument split into n, the nearest integer after division by the logarithm of the base, and
// the rest. `sum` has n in its low bits.
template <class T> struct powers {
  T rest, n, sum;
};

// The base-2 logarithm of e, and limits: beyond, half of the result overflows, or it is zero. It
// overflows itself from 1 less on.
template <class T> struct natural;
template <> struct natural<f32> {
  static constexpr f32 log2_e = 0x1.715476p0f;
  static constexpr f32 highest = 90, lowest = -105;
};
template <> struct natural<f64> {
  static constexpr f64 log2_e = 0x1.71547652b82fep0;
  static constexpr f64 highest = 711, lowest = -746;
};

template <class T> INLINED powers<T> split_natural(T x) {
  T sum = mad(x, natural<T>::log2_e, layout<T>::whole), n = sum - layout<T>::whole;
  return {mad(n, -ln_2<T>::low, mad(n, -ln_2<T>::high, x)), n, sum};
}

// x * 2^(n - offset), rounded once: by two factors, since 2^n itself may be out of range.
template <class T> INLINED T scale(T x, T sum, i32 offset = 0) {
  using bits_t = bits_of<T>;
  constexpr i32 bias = layout<T>::bias, fraction = layout<T>::fraction;
  bits_t both = bits(sum) - (bits(layout<T>::whole) - bits_t(2 * bias - offset));
  bits_t first = both >> 1, second = both - first;
  return x * from_bits(first << fraction) * from_bits(second << fraction);
}

// 2^n for an exponent of normal numbers.
template <class T> INLINED T power_of_2(T sum, i32 offset = 0) {
  using bits_t = bits_of<T>;
  return from_bits((bits(sum) + bits_t(layout<T>::bias - offset)) << layout<T>::fraction);
}

// e^r - 1 for |r| <= ln(2) / 2: a minimax polynomial of (e^r - 1 - r) / r^2, with a relative error
// of 2^-26.2 and 2^-61.7.
INLINED f32 short_expm1(f32 r) {
  return mad(r * r, polynomial(r, 0x1.fffffep-2f, 0x1.5554bp-3f, 0x1.555674p-5f, 0x1.1227b6p-7f, 0x1.6bec3cp-10f), r);
}
INLINED f64 short_expm1(f64 r) {
  f64 p = polynomial(r, 0x1p-1, 0x1.5555555555559p-3, 0x1.555555555553fp-5, 0x1.111111110f6c5p-7,
                     0x1.6c16c16c1f057p-10, 0x1.a01a01afdd805p-13, 0x1.a01a017bd929ep-16, 0x1.71ddf863d47cep-19,
                     0x1.27e535f0e953p-22, 0x1.af5ea840413cp-26, 0x1.1ee9028750555p-29);
  return mad(r * r, p, r);
}

// 2^r for |r| <= 1/2: a minimax polynomial of (2^r - 1) / r, with a relative error of 2^-28.9 and
// 2^-64.3.
INLINED f32 short_exp2(f32 r) {
  f32 p = polynomial(r, 0x1.62e43p-1f, 0x1.ebfbdcp-3f, 0x1.c6aee6p-5f, 0x1.3b2d5p-7f, 0x1.5f3f36p-10f, 0x1.41fb5ep-13f);
  return mad(r, p, 1.0f);
}
INLINED f64 short_exp2(f64 r) {
  f64 p = polynomial(r, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c58fp-3, 0x1.c6b08d704a0cfp-5, 0x1.3b2ab6fba4e21p-7,
                     0x1.5d87fe78a2647p-10, 0x1.430912f883fd1p-13, 0x1.ffcbfc75010dcp-17, 0x1.62c021e1efaf5p-20,
                     0x1.b524dcf3f3cb8p-24, 0x1.e4d06d76ec65ap-28, 0x1.ea01ecc30f4e1p-32, 0x1.c2ce4bc9fce53p-36);
  return mad(r, p, 1.0);
}

// e^x / 2^offset.
template <class T> INLINED T exp(T x, i32 offset = 0) {
  powers<T> p = split_natural(at_least(at_most(x, natural<T>::highest), natural<T>::lowest));
  return scale(short_expm1(p.rest) + 1, p.sum, offset);
}

// (2^n - 1) + 2^n * (e^r - 1). Half of it at first, since 2^n may be out of range.
template <class T> INLINED T expm1(T x) {
  powers<T> p = split_natural(at_least(at_most(x, natural<T>::highest - 1), T(-50)));
  T part = power_of_2(p.sum, 1), result = 2 * mad(part, short_expm1(p.rest), part - T(0.5));
  return fabs(x) < layout<T>::sub_ulp ? x : result;
}

template <class T> INLINED T exp2(T x) {
  constexpr T limit = sizeof(T) == 4 ? 160 : 1100;
  T c = at_least(at_most(x, limit), -limit), sum = c + layout<T>::whole;
  return scale(short_exp2(c - (sum - layout<T>::whole)), sum);
}

// The base-2 logarithm of 10, and the limit beyond which the result overflows or is zero.
template <class T> struct decimal;
template <> struct decimal<f32> {
  static constexpr f32 log2_10 = 0x1.a934fp1f, limit = 48;
};
template <> struct decimal<f64> {
  static constexpr f64 log2_10 = 0x1.a934f0979a371p1, limit = 325;
};

// 10^r for |r| <= log10(2) / 2: a minimax polynomial of (10^r - 1) / r, with a relative error of
// 2^-28.9 and 2^-64.3.
INLINED f32 short_exp10(f32 r) {
  f32 p = polynomial(r, 0x1.26bb1cp1f, 0x1.53524ap1f, 0x1.046f66p1f, 0x1.2bd9dap0f, 0x1.15852ep-1f, 0x1.a68b52p-3f);
  return mad(r, p, 1.0f);
}
INLINED f64 short_exp10(f64 r) {
  f64 p = polynomial(r, 0x1.26bb1bbb55516p1, 0x1.53524c73cea69p1, 0x1.0470591de2cadp1, 0x1.2bd7609fd9872p0,
                     0x1.1429ffd1d1a14p-1, 0x1.a7ed70849b76cp-3, 0x1.16e4dfd2bb70dp-4, 0x1.4116b00fb5af3p-6,
                     0x1.48977bef4b92p-8, 0x1.2ea5dcb36f6dbp-10, 0x1.fc129981ff206p-13, 0x1.8430175219093p-15);
  return mad(r, p, 1.0);
}

template <class T> INLINED T exp10(T x) {
  T c = at_least(at_most(x, decimal<T>::limit), -decimal<T>::limit);
  T sum = mad(c, decimal<T>::log2_10, layout<T>::whole), n = sum - layout<T>::whole;
  return scale(short_exp10(mad(n, -log10_2<T>::low, mad(n, -log10_2<T>::high, c))), sum);
}

} // namespace
} // namespace math
