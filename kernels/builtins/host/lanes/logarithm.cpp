// Logarithms and inverse hyperbolic functions.
#include "logarithm.hpp"

namespace math {
namespace {

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
