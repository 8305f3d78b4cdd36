// The natural logarithm and its parts.
#pragma once
#include "lanes.hpp"

namespace math {
namespace {

// x = 2^n * (1 + f); `exponent` has the bits of n.
template <class T> struct binary {
  T n, f;
  bits_of<T> exponent;
};

// The remaining factor of x is from `lowest` to twice that.
template <class T> struct factor {
  static constexpr T lowest = T(0x1.555556p-1);
};
template <> struct factor<f64> {
  static constexpr f64 lowest = 0x1.6a09e667f3bcdp-1;
};

// An integer in the exponent bits of a normal number, above a bias, as a number.
template <class T> INLINED T whole_of(bits_of<T> biased) {
  constexpr T unit = T(sizeof(T) == 4 ? 0x1p23 : 0x1p52);
  return from_bits(biased >> layout<T>::fraction | bits(unit)) - (unit + layout<T>::bias);
}

// Splits a positive finite x.
template <class T> INLINED binary<T> split_binary(T x, T lowest = factor<T>::lowest) {
  constexpr T up = T(sizeof(T) == 4 ? 0x1p24 : 0x1p54);
  constexpr T shift = sizeof(T) == 4 ? 24 : 54;
  bool is_small = x < layout<T>::smallest_normal;
  T normal = is_small ? x * up : x;
  constexpr bits_of<T> field = bits_of<T>(2 * layout<T>::bias + 1) << layout<T>::fraction;
  bits_of<T> distance = bits(normal) - bits(lowest), exponent = distance & (field | sign_bit<T>);
  // One can be above the lowest factor, so its exponent is the bias.
  T n = whole_of<T>(distance + bits(T(1)));
  return {is_small ? n - shift : n, from_bits(bits(normal) - exponent) - 1, exponent};
}

// (log(1 + f) - f) / f^2 for |f| <= 1/3, as a minimax polynomial; the relative error of the
// logarithm is at most 2^-25.1.
INLINED f32 log_behind_first(f32 f) {
  return polynomial(f, -0x1.ffffd6p-2f, 0x1.5554fcp-2f, -0x1.001462p-2f, 0x1.99d3c6p-3f, -0x1.50347ap-3f, 0x1.1ea5p-3f,
                     -0x1.3b2986p-3f, 0x1.1f4452p-3f);
}

// With s = f / (2 + f), log(1 + f) is f - f^2/2 + s * (f^2/2 + r), where r is the series of
// 2 * artanh(s) / s without its first term: a minimax polynomial in s^2 for 1 + f from sqrt(1/2) to
// sqrt(2), with a relative error of 2^-59.5. Returns s * (f^2/2 + r).
INLINED f64 log_behind_second(f64 f) {
  f64 s = f / (2 + f), z = s * s;
  f64 r = z * polynomial(z, 0x1.5555555555593p-1, 0x1.999999997fb31p-2, 0x1.24924942176d5p-2, 0x1.c71c51e83d301p-3,
                         0x1.7466461a19c7cp-3, 0x1.39a0f72dd51cep-3, 0x1.2f0d766af0e4ep-3);
  return s * mad(0.5 * f, f, r);
}

// n * ln(2) + log(1 + f).
INLINED f32 log_of(f32 n, f32 f) {
  f32 rest = mad(f * f, log_behind_first(f), n * ln_2<f32>::low);
  return mad(n, ln_2<f32>::high, f + rest);
}
INLINED f64 log_of(f64 n, f64 f) {
  f64 rest = mad(n, ln_2<f64>::low, log_behind_second(f));
  return mad(n, ln_2<f64>::high, f - mad(0.5 * f, f, -rest));
}

// Special values of the logarithm: infinity for positive infinity, negative infinity for zeros, NaN
// for negative numbers and NaN.
template <class T> INLINED T with_special_logarithms(T x, T logarithm) {
  T result = x < infinity<T> ? logarithm : x;
  result = x < 0 ? not_a_number<T> : result;
  return x == 0 ? -infinity<T> : result;
}

template <class T> INLINED T log(T x) {
  binary<T> b = split_binary(x);
  return with_special_logarithms(x, log_of(b.n, b.f));
}

// 1 + x = 2^n * (1 + f), where f is 2^-n * x + (2^-n - 1), rounded once. 4 * 2^-n is a normal
// number for every n.
template <class T> INLINED T log1p(T x) {
  T total = x + 1;
  binary<T> b = split_binary(total);
  T inverse = from_bits(bits(T(4)) - b.exponent);
  T f = mad(T(0.25) * x, inverse, T(0.25) * inverse - 1);
  T result = with_special_logarithms(total, log_of(b.n, f));
  return fabs(x) < layout<T>::sub_ulp ? x : result;
}

constexpr f32 log2_e = 0x1.715476p0f, log10_e = 0x1.bcb7b2p-2f;

// log(1 + f) as a pair, of which the first has few digits.
INLINED pair<f64> log_pair(f64 f) {
  f64 high = coarse(f - 0.5 * f * f);
  return {high, mad(-0.5 * f, f, f - high) + log_behind_second(f)};
}

// The logarithm with a base of which `high` and `low` are the reciprocal of the natural logarithm.
INLINED pair<f64> log_with_base(f64 f, f64 high, f64 low) {
  pair<f64> l = log_pair(f);
  return {l.high * high, mad(l.low, high, (l.low + l.high) * low)};
}

INLINED f32 log2_of(f32 n, f32 f) { return mad(mad(f * f, log_behind_first(f), f), log2_e, n); }
INLINED f64 log2_of(f64 n, f64 f) {
  pair<f64> l = log_with_base(f, 0x1.71547680p0, -0x1.6a3e80f444178p-27), s = sum(n, l.high);
  return s.high + (s.low + l.low);
}

// The smallest terms first: the factors are not exact in f32.
INLINED f32 log10_of(f32 n, f32 f) {
  f32 behind = f * f * log_behind_first(f);
  return mad(n, log10_2<f32>::high, mad(f, log10_e, mad(behind, log10_e, n * log10_2<f32>::low)));
}
INLINED f64 log10_of(f64 n, f64 f) {
  pair<f64> l = log_with_base(f, 0x1.bcb7b18p-2, -0x1.6c8d78e6acaa4p-29), s = sum(n * log10_2<f64>::high, l.high);
  return s.high + (s.low + mad(n, log10_2<f64>::low, l.low));
}

template <class T> INLINED T log2(T x) {
  binary<T> b = split_binary(x);
  return with_special_logarithms(x, log2_of(b.n, b.f));
}

template <class T> INLINED T log10(T x) {
  binary<T> b = split_binary(x);
  return with_special_logarithms(x, log10_of(b.n, b.f));
}

} // namespace
} // namespace math
