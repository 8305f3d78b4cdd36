// Exponents, remainders and neighbours of numbers. All are exact.
#include "lanes.hpp"

namespace math {
namespace {

constexpr i32 largest = 0x7fffffff;

template <class T> INLINED T power_of_2(i32 exponent) {
  return from_bits((bits_of<T>)(exponent + layout<T>::bias) << layout<T>::fraction);
}

// x * 2^n with n closer to the exponents of normal numbers. A product that is not normal is so only
// if the result is, so that it is rounded once.
template <class T> struct scaled {
  T x;
  i32 n;
};
template <class T> INLINED scaled<T> closer(T x, i32 n) {
  constexpr i32 highest = layout<T>::bias, lowest = 1 - highest, down = lowest + layout<T>::fraction + 1;
  i32 part = n > highest ? highest : n < lowest ? down : 0;
  return {x * power_of_2<T>(part), n - part};
}

template <class T> INLINED T ldexp(T x, i32 n) {
  constexpr i32 limit = sizeof(T) == 4 ? 320 : 2200;
  i32 moderate = n > limit ? limit : n < -limit ? -limit : n;
  scaled<T> first = closer(x, moderate), second = closer(first.x, first.n);
  return second.x * power_of_2<T>(second.n);
}

// A number from 1/2 to 1, and the exponent: x is their product as ldexp makes it.
template <class T> struct split_number {
  T fraction;
  bits_of<T> biased;
  bool is_whole;
};
template <class T> INLINED split_number<T> split(T x) {
  constexpr i32 fraction = layout<T>::fraction, bias = layout<T>::bias;
  constexpr bits_of<T> field = bits_of<T>(2 * bias + 1) << fraction;
  bool is_small = fabs(x) < layout<T>::smallest_normal;
  T normal = is_small ? x * power_of_2<T>(fraction + 1) : x;
  // Above 2 * bias, so that it is positive.
  bits_of<T> biased = ((bits(normal) & field) >> fraction) + 2 * bias - (is_small ? fraction + 1 : 0);
  T part = from_bits((bits(normal) & ~field) | (bits_of<T>)(bias - 1) << fraction);
  bool is_whole = !(fabs(x) < infinity<T>) | (x == 0);
  return {is_whole ? x : part, biased, is_whole};
}
template <class T> INLINED i32 exponent_of(split_number<T> s) { return (i32)s.biased - (3 * layout<T>::bias - 1); }

template <class T> INLINED T frexp(T x, i32 *exponent) {
  split_number<T> s = split(x);
  *exponent = s.is_whole ? 0 : exponent_of(s);
  return s.fraction;
}

// As in the C library: the largest i32 for an infinity, the smallest for zero and NaN.
template <class T> INLINED i32 ilogb(T x) {
  i32 special = fabs(x) == infinity<T> ? largest : -largest - 1;
  split_number<T> s = split(x);
  return s.is_whole ? special : exponent_of(s) - 1;
}

template <class T> INLINED T logb(T x) {
  split_number<T> s = split(x);
  T special = x == 0 ? -infinity<T> : x * x;
  return s.is_whole ? special : (T)(exponent_of(s) - 1);
}

// The bits of numbers of one sign are in their order.
template <class T> INLINED T nextafter(T x, T y) {
  using bits_t = bits_of<T>;
  bool is_away = (x < y) == (x > 0);
  T next = from_bits(is_away ? bits(x) + 1 : bits(x) - 1);
  next = x == 0 ? from_bits(bits_t(1) | (bits(y) & sign_bit<T>)) : next;
  next = x == y ? y : next;
  return ((x != x) | (y != y)) ? x + y : next;
}

// a less a multiple of b, for a below 2^digits * b. The quotient may be off by one.
template <class T> INLINED T reduced(T a, T b) {
  pair<T> p = product(trunc(a / b), b);
  T rest = (a - p.high) - p.low;
  rest = rest < 0 ? rest + b : rest;
  return rest >= b ? rest - b : rest;
}

// The remainder of a finite a by a positive finite b: by multiples of b, the largest first.
template <class T> INLINED T positive_fmod(T a, T b) {
  constexpr T up = T(sizeof(T) == 4 ? 0x1p20 : 0x1p48), down = 1 / up;
  T multiple = b;
  while (multiple <= a * down)
    multiple *= up;
  for (; multiple > b; multiple *= down)
    a = reduced(a, multiple);
  return reduced(a, b);
}

// Where there is a remainder; else one of 0 by 1 is computed.
template <class T> INLINED bool has_remainder(T x, T y) { return fabs(x) < infinity<T> && fabs(y) > 0; }

template <class T> INLINED T fmod(T x, T y) {
  T a = fabs(x), b = fabs(y);
  bool is_done = !(a >= b) | (b == infinity<T>) | !has_remainder(x, y);
  T rest = copysign(positive_fmod(is_done ? T(0) : a, is_done ? T(1) : b), x);
  rest = is_done ? x : rest;
  rest = has_remainder(x, y) ? rest : not_a_number<T>;
  return ((x != x) | (y != y)) ? x + y : rest;
}

// A remainder by twice the divisor shows if the quotient is odd.
template <class T> INLINED T remainder(T x, T y) {
  T a = fabs(x), b = fabs(y), twice = 2 * b;
  bool is_short = !(a >= twice) | (twice == infinity<T>) | !has_remainder(x, y);
  T rest = positive_fmod(is_short ? T(0) : a, is_short ? T(1) : twice);
  rest = is_short ? a : rest;
  // Half of a subnormal divisor is not exact, twice a large remainder is not finite.
  bool is_small = b < 4 * layout<T>::smallest_normal;
  T half = is_small ? b : T(0.5) * b, factor = is_small ? T(2) : T(1);
  T once = rest * factor > half ? rest - b : rest;
  bool is_more = (rest * factor > half) & (once * factor >= half);
  T result = is_more ? once - b : once;
  result = from_bits(bits(result) ^ (bits(x) & sign_bit<T>));
  result = has_remainder(x, y) ? result : not_a_number<T>;
  return ((x != x) | (y != y)) ? x + y : result;
}

} // namespace
} // namespace math

extern "C" f32 __sinter_lanes_ldexpf(f32 x, i32 n) { return math::ldexp(x, n); }
extern "C" f64 __sinter_lanes_ldexp(f64 x, i32 n) { return math::ldexp(x, n); }
extern "C" f32 __sinter_lanes_frexpf(f32 x, i32 *exponent) { return math::frexp(x, exponent); }
extern "C" f64 __sinter_lanes_frexp(f64 x, i32 *exponent) { return math::frexp(x, exponent); }
extern "C" i32 __sinter_lanes_ilogbf(f32 x) { return math::ilogb(x); }
extern "C" i32 __sinter_lanes_ilogb(f64 x) { return math::ilogb(x); }
LANES1(logb)
LANES2(nextafter)
LANES2(fmod)
LANES2(remainder)
