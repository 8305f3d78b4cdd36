// Logarithms and inverse hyperbolic functions.
#include "logarithm.hpp"

namespace math {
namespace {

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

// log(2 * a) of a large a, log(1 + other) else.
template <class T> INLINED T log_double(T a, T other) {
  constexpr T large = T(sizeof(T) == 4 ? 0x1p28 : 0x1p56);
  return log1p(a > large ? a : other) + (a > large ? T(0x1.62e42fefa39efp-1) : T(0));
}

template <class T> INLINED T asinh(T x) {
  T a = fabs(x), square = a * a;
  return copysign(log_double(a, a + square / (1 + sqrt(square + 1))), x);
}

template <class T> INLINED T acosh(T x) {
  T t = x - 1, result = log_double(x, t + sqrt(mad(t, t, 2 * t)));
  return x < 1 ? not_a_number<T> : result;
}

template <class T> INLINED T atanh(T x) {
  T a = fabs(x), twice = 2 * a, quotient = (a < T(0.5) ? twice * a : twice) / (1 - a);
  return copysign(T(0.5) * log1p(a < T(0.5) ? twice + quotient : quotient), x);
}

} // namespace
} // namespace math

LANES1(log)
LANES1(log2)
LANES1(log10)
LANES1(log1p)
LANES1(asinh)
LANES1(acosh)
LANES1(atanh)
