// The ground of the mathematical functions for vector code.
//
// Each function is scalar code for one lane, which the vectoriser makes vector code together with
// the kernel that calls it. *Invariant:* the usual way through a function has no branch, no call,
// and no table in memory; integers have the width of the floating-point numbers beside them. Rare
// ways may be branches, which a row of lanes skips if no lane takes them.
//
// Compiled twice: with SINTER_FMA, an operation that rounds once is an instruction; without, it is
// not used, since it would be a call.
#pragma once
#include "../../generic/exact.hpp"

// Everything is inlined into the functions of the library.
#define INLINED [[gnu::always_inline]] inline

// Defines __sinter_lanes_NAMEf and __sinter_lanes_NAME, called as the C library calls them.
#define LANES1(NAME)                                                                                                   \
  extern "C" f32 __sinter_lanes_##NAME##f(f32 x) { return math::NAME(x); }                                             \
  extern "C" f64 __sinter_lanes_##NAME(f64 x) { return math::NAME(x); }
#define LANES2(NAME)                                                                                                   \
  extern "C" f32 __sinter_lanes_##NAME##f(f32 x, f32 y) { return math::NAME(x, y); }                                   \
  extern "C" f64 __sinter_lanes_##NAME(f64 x, f64 y) { return math::NAME(x, y); }

namespace math {
namespace {

// The layout of a type. Adding `whole` to a number whose magnitude is below a quarter of it rounds
// to an integer, which is then in the low bits of the sum. The bits that `coarse` keeps are less
// than half of the significand, so that products of such numbers are exact.
template <class T> struct layout;
template <> struct layout<f32> {
  using bits = u32;
  static constexpr i32 fraction = 23, bias = 127;
  static constexpr f32 whole = 0x1.8p23f, smallest_normal = 0x1p-126f, sub_ulp = 0x1p-25f;
  static constexpr bits coarse = 0xfffff000;
};
template <> struct layout<f64> {
  using bits = u64;
  static constexpr i32 fraction = 52, bias = 1023;
  static constexpr f64 whole = 0x1.8p52, smallest_normal = 0x1p-1022, sub_ulp = 0x1p-54;
  static constexpr bits coarse = 0xfffffffff8000000;
};
template <class T> using bits_of = typename layout<T>::bits;

INLINED u32 bits(f32 x) { return __builtin_bit_cast(u32, x); }
INLINED u64 bits(f64 x) { return __builtin_bit_cast(u64, x); }
INLINED f32 from_bits(u32 x) { return __builtin_bit_cast(f32, x); }
INLINED f64 from_bits(u64 x) { return __builtin_bit_cast(f64, x); }

template <class T> constexpr T infinity = T(__builtin_inf());
template <class T> constexpr T not_a_number = T(__builtin_nan(""));
template <class T> constexpr bits_of<T> sign_bit = bits_of<T>(1) << (sizeof(T) * 8 - 1);

// The natural and the decimal logarithm of 2, each as a number with so few digits that its product
// with an exponent is exact, and the rest.
template <class T> struct ln_2;
template <> struct ln_2<f32> {
  static constexpr f32 high = 0x1.62e8p-1f, low = -0x1.e8082ep-16f;
};
template <> struct ln_2<f64> {
  static constexpr f64 high = 0x1.62e42ffp-1, low = -0x1.718432a1b0e26p-35;
};
template <class T> struct log10_2;
template <> struct log10_2<f32> {
  static constexpr f32 high = 0x1.344p-2f, low = 0x1.3509f8p-18f;
};
template <> struct log10_2<f64> {
  static constexpr f64 high = 0x1.3441350ap-2, low = -0x1.0c0219dc1da99p-39;
};

// a * b + c, rounded once where that is an instruction.
template <class T> INLINED T mad(T a, T b, T c) {
#ifdef SINTER_FMA
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

// A polynomial by Horner's rule, the constant coefficient first.
template <class T> INLINED T polynomial(T, T c) { return c; }
template <class T, class... C> INLINED T polynomial(T x, T c, C... higher) {
  return mad(x, polynomial(x, higher...), c);
}

// The sum of a number and its rounding error.
template <class T> struct pair {
  T high, low;
};

// The leading digits of x.
template <class T> INLINED T coarse(T x) { return from_bits(bits(x) & layout<T>::coarse); }

// An exact product (T. Dekker, A Floating-Point Technique for Extending the Available Precision,
// 1971, where no operation rounds once).
template <class T> INLINED pair<T> product(T a, T b) {
  T high = a * b;
#ifdef SINTER_FMA
  return {high, fma(a, b, -high)};
#else
  T a_high = coarse(a), a_low = a - a_high, b_high = coarse(b), b_low = b - b_high;
  return {high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low};
#endif
}

// a + b, where a is zero or not less than b in magnitude.
template <class T> INLINED pair<T> sum(T a, T b) {
  T high = a + b;
  return {high, (a - high) + b};
}

// NaN stays.
template <class T> INLINED T at_most(T x, T limit) { return x > limit ? limit : x; }
template <class T> INLINED T at_least(T x, T limit) { return x < limit ? limit : x; }

// The sign of `to` for a number that is not negative.
template <class T> INLINED T with_sign_of(T x, T to) { return from_bits(bits(x) | (bits(to) & sign_bit<T>)); }

} // namespace
} // namespace math
