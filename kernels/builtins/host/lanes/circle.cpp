// Sine, cosine and tangent.
#include "lanes.hpp"

namespace math {
namespace {

// An angle reduced by whole quarter turns, and their number, of which the lowest two bits are used.
template <class T> struct quarters {
  T rest;
  bits_of<T> count;
};

// Up to `moderate`, subtracting the number of quarters times the parts of pi/2 is accurate. Where
// products are rounded, the parts have so few digits that all but the last products are exact.
template <class T> struct quarter_turn;
#ifdef SINTER_FMA
template <> struct quarter_turn<f32> {
  static constexpr f32 moderate = 0x1p17f;
  static constexpr f32 parts[] = {0x1.921fb4p0f, 0x1.4442dp-24f, 0x1.84698ap-48f};
};
template <> struct quarter_turn<f64> {
  static constexpr f64 moderate = 0x1p30;
  static constexpr f64 parts[] = {0x1.921fb54442d18p0, 0x1.1a62633145c06p-54, 0x1.c1cd129024e08p-107};
};
#else
template <> struct quarter_turn<f32> {
  static constexpr f32 moderate = 0x1p13f;
  static constexpr f32 parts[] = {0x1.92p0f, 0x1.fb4p-12f, 0x1.444p-24f, 0x1.68c234p-39f};
};
template <> struct quarter_turn<f64> {
  static constexpr f64 moderate = 0x1p22;
  static constexpr f64 parts[] = {0x1.921fb544p0, 0x1.0b4611a4p-34, 0x1.13198a2cp-65, 0x1.01b839a252049p-96};
};
#endif
template <class T> constexpr T inverse_quarter_turn = T(0x1.45f306dc9c883p-1);

// All parts are positive, so that a zero keeps its sign.
template <class T> INLINED quarters<T> split_moderate(T x) {
  T sum = mad(x, inverse_quarter_turn<T>, layout<T>::whole), n = sum - layout<T>::whole, rest = x;
#pragma unroll
  for (T part : quarter_turn<T>::parts)
    rest = mad(n, -part, rest);
  return {rest, bits(sum)};
}

// 2/pi after 32 zero bits.
constexpr u32 two_over_pi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
                               0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c,
                               0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4,
                               0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf,
                               0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea,
                               0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20};

template <int Number>
constexpr u32 word_of_two_over_pi = Number < int(sizeof two_over_pi / sizeof *two_over_pi) ? two_over_pi[Number] : 0;

template <int Count> struct window {
  u32 words[Count];
};

template <class, int... Number> struct numbers {};
template <int Count> using first_numbers = __make_integer_seq<numbers, int, Count>;

template <int... Number> INLINED window<sizeof...(Number)> every_word(numbers<int, Number...>) {
  return {{word_of_two_over_pi<Number>...}};
}
template <int Step, int Count, int... Number>
INLINED window<sizeof...(Number)> stepped(window<Count> w, u32 first, numbers<int, Number...>) {
  return {{(first & Step ? w.words[Number + Step] : w.words[Number])...}};
}

// The words from number `first`, below 32, on. They are selected by the bits of the number
// instead of loaded, since a table would be in memory.
template <int Count> INLINED window<Count> words_from(u32 first) {
  window<Count + 15> a = stepped<16>(every_word(first_numbers<Count + 31>()), first, first_numbers<Count + 15>());
  window<Count + 7> b = stepped<8>(a, first, first_numbers<Count + 7>());
  window<Count + 3> c = stepped<4>(b, first, first_numbers<Count + 3>());
  window<Count + 1> d = stepped<2>(c, first, first_numbers<Count + 1>());
  return stepped<1>(d, first, first_numbers<Count>());
}

// Multiplies the significand of x by the relevant bits of 2/pi: higher bits make whole turns, lower
// ones are too small (M. Payne and R. Hanek, Radian Reduction for Trigonometric Functions, 1983).
INLINED quarters<f32> split_large_size(f32 x) {
  u32 start = ((bits(x) >> 23) & 0xff) - 120, significand = (bits(x) & 0x7fffff) | 0x800000;
  window<4> w = words_from<4>(start >> 5);
  u32 shift = start & 31;
  auto funnel = [=](int i) { return (u32)(((u64)w.words[i] << 32 | w.words[i + 1]) << shift >> 32); };
  u64 low = (u64)significand * funnel(2) >> 32;
  u64 turns = (u64)significand * funnel(1) + low;
  turns += (u64)(significand * funnel(0)) << 32;
  // Two bits of quarters, rounded, and a signed remainder.
  u32 count = (u32)(turns >> 62) + (u32)(turns >> 61 & 1);
  return {(f32)((f64)(i64)(turns << 2) * 0x1.921fb54442d18p-64), count};
}

INLINED quarters<f64> split_large_size(f64 x) {
  u32 start = (u32)(bits(x) >> 52 & 0x7ff) - 1045;
  u64 significand = (bits(x) & 0xfffffffffffff) | 0x10000000000000;
  u64 high = significand >> 32, low = significand & 0xffffffff;
  window<6> w = words_from<6>(start >> 5);
  u32 shift = start & 31;
  auto funnel = [=](int i) { return ((u64)w.words[i] << 32 | w.words[i + 1]) << shift >> 32; };
  // Columns of 32 bits, the highest first; what is carried from lower ones is too small.
  constexpr u64 mask = 0xffffffff;
  u64 p[5], q[5];
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    u64 word = funnel(i);
    p[i] = low * word;
    q[i] = high * word;
  }
  u64 column3 = (p[3] & mask) + (p[4] >> 32) + (q[4] & mask);
  u64 column2 = (p[2] & mask) + (p[3] >> 32) + (q[3] & mask) + (q[4] >> 32) + (column3 >> 32);
  u64 column1 = (p[1] & mask) + (p[2] >> 32) + (q[2] & mask) + (q[3] >> 32) + (column2 >> 32);
  u64 column0 = (p[0] & mask) + (p[1] >> 32) + (q[1] & mask) + (q[2] >> 32) + (column1 >> 32);
  u64 upper = column0 << 32 | (column1 & mask), lower = column2 << 32 | (column3 & mask);
  u64 count = (upper >> 62) + (upper >> 61 & 1);
  i64 rest = (i64)(upper << 2 | lower >> 62);
  f64 first = (f64)rest, second = (f64)(rest - (i64)first) + (f64)(lower << 2) * 0x1p-64;
  constexpr f64 unit = 0x1.921fb54442d18p-64, unit_low = 0x1.1a62633145c07p-118;
  pair<f64> angle = product(first, unit);
  return {angle.high + (angle.low + mad(second, unit, first * unit_low)), count};
}

template <class T> INLINED quarters<T> split_large(T x) {
  quarters<T> q = split_large_size(x);
  T rest = fabs(x) == infinity<T> ? not_a_number<T> : q.rest;
  return x < 0 ? quarters<T>{-rest, 0 - q.count} : quarters<T>{rest, q.count};
}

template <class T> INLINED quarters<T> split(T x) {
  return __builtin_expect(fabs(x) > quarter_turn<T>::moderate, 0) ? split_large(x) : split_moderate(x);
}

// Minimax polynomials in r^2 of (sin(r) / r - 1) / r^2 for |r| <= 0.82 and 0.8; the relative error
// of the result is at most 2^-27.4 and 2^-57.6. Adding positive zero keeps the sign of a zero
// result.
INLINED f32 short_sine(f32 r) {
  f32 z = r * r, p = polynomial(z, -0x1.55554p-3f, 0x1.11054p-7f, -0x1.989cb8p-13f);
  return mad(mad(z, p, 0.0f), r, r);
}
INLINED f64 short_sine(f64 r) {
  f64 z = r * r;
  f64 p = polynomial(z, -0x1.5555555555545p-3, 0x1.111111110f2aep-7, -0x1.a01a019b5656ep-13, 0x1.71de34d41890dp-19,
                     -0x1.ae5de55bcae87p-26, 0x1.5d6d78df0dfbap-33);
  return mad(mad(z, p, 0.0), r, r);
}

// Minimax polynomials in r^2 of (cos(r) - 1 + r^2 / 2) / r^4 for |r| <= 0.82 and 0.8; the relative
// error of the result is at most 2^-32.2 and 2^-63.5.
INLINED f32 behind_cosine(f32 z) { return polynomial(z, 0x1.555546p-5f, -0x1.6c09cep-10f, 0x1.9941eep-16f); }
INLINED f64 behind_cosine(f64 z) {
  return polynomial(z, 0x1.5555555555548p-5, -0x1.6c16c16c149b6p-10, 0x1.a01a019bf0b45p-16, -0x1.27e4f77f621a5p-22,
                    0x1.1ee98e4c89b07p-29, -0x1.8f7e6c36ff53p-37);
}
template <class T> INLINED T short_cosine(T r) {
  T z = r * r, half = T(0.5) * z, first = 1 - half;
  return first + mad(z * z, behind_cosine(z), (1 - first) - half);
}

template <class T> INLINED T wave(quarters<T> q, bits_of<T> ahead) {
  bits_of<T> count = q.count + ahead;
  T sine = short_sine(q.rest), cosine = short_cosine(q.rest), size = count & 1 ? cosine : sine;
  return from_bits(bits(size) ^ (count << (sizeof(T) * 8 - 2) & sign_bit<T>));
}

template <class T> INLINED T sin(T x) { return wave(split(x), 0); }
template <class T> INLINED T cos(T x) { return wave(split(x), 1); }

template <class T> INLINED T tan(T x) {
  quarters<T> q = split(x);
  T sine = short_sine(q.rest), cosine = short_cosine(q.rest);
  bool is_odd = q.count & 1;
  return (is_odd ? -cosine : sine) / (is_odd ? sine : cosine);
}

template <class T> INLINED void sincos(T x, T *sine, T *cosine) {
  quarters<T> q = split(x);
  *sine = wave(q, 0);
  *cosine = wave(q, 1);
}

} // namespace
} // namespace math

LANES1(sin)
LANES1(cos)
LANES1(tan)
extern "C" void __sinter_lanes_sincosf(f32 x, f32 *sine, f32 *cosine) { math::sincos(x, sine, cosine); }
extern "C" void __sinter_lanes_sincos(f64 x, f64 *sine, f64 *cosine) { math::sincos(x, sine, cosine); }
