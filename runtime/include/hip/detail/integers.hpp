// Functions of integers.
#ifndef HIP_DETAIL_INTEGERS_HPP
#define HIP_DETAIL_INTEGERS_HPP

#include "attributes.hpp"

SINTER_HIP_BOTH int __popc(unsigned x) { return __builtin_popcount(x); }
SINTER_HIP_BOTH int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SINTER_HIP_BOTH int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
SINTER_HIP_BOTH int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
SINTER_HIP_BOTH int __ffs(int x) { return x == 0 ? 0 : __builtin_ctz(static_cast<unsigned>(x)) + 1; }
SINTER_HIP_BOTH int __ffs(unsigned x) { return __ffs(static_cast<int>(x)); }
SINTER_HIP_BOTH int __ffsll(long long x) {
  return x == 0 ? 0 : __builtin_ctzll(static_cast<unsigned long long>(x)) + 1;
}
SINTER_HIP_BOTH int __ffsll(unsigned long long x) { return __ffsll(static_cast<long long>(x)); }
SINTER_HIP_BOTH unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
SINTER_HIP_BOTH unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
SINTER_HIP_BOTH int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
SINTER_HIP_BOTH unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
SINTER_HIP_BOTH int mul24(int a, int b) { return __mul24(a, b); }
SINTER_HIP_BOTH int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
SINTER_HIP_BOTH unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
SINTER_HIP_BOTH unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
SINTER_HIP_BOTH long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
SINTER_HIP_BOTH int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
SINTER_HIP_BOTH int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
SINTER_HIP_BOTH unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
SINTER_HIP_BOTH unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
SINTER_HIP_BOTH unsigned __sad(int a, int b, unsigned c) {
  return (a < b ? static_cast<unsigned>(b) - a : static_cast<unsigned>(a) - b) + c;
}
SINTER_HIP_BOTH unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
SINTER_HIP_BOTH unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<unsigned>(both >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}
SINTER_HIP_BOTH unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31) >> 32);
}
SINTER_HIP_BOTH unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
// The shift is at most 32.
SINTER_HIP_BOTH unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
SINTER_HIP_BOTH unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
SINTER_HIP_BOTH int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8)
    c += static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i);
  return c;
}
SINTER_HIP_BOTH unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8)
    c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
}
// Two numbers of 16 bits with two of 8, the lower or the upper ones of b.
#define SINTER_HIP_DP2A(name, first, type, wide, narrow)                                                             \
  SINTER_HIP_BOTH type name(type a, type b, type c) {                                                                \
    return c + static_cast<type>(static_cast<wide>(a) * static_cast<narrow>(b >> first)) +                           \
           static_cast<type>(static_cast<wide>(a >> 16) * static_cast<narrow>(b >> (first + 8)));                    \
  }
SINTER_HIP_DP2A(__dp2a_lo, 0, int, short, signed char)
SINTER_HIP_DP2A(__dp2a_hi, 16, int, short, signed char)
SINTER_HIP_DP2A(__dp2a_lo, 0, unsigned, unsigned short, unsigned char)
SINTER_HIP_DP2A(__dp2a_hi, 16, unsigned, unsigned short, unsigned char)
#undef SINTER_HIP_DP2A
// The place of the n-th bit that is set, counted from `base` upwards, or downwards for a negative
// n.
SINTER_HIP_BOTH unsigned __fns(unsigned mask, unsigned base, int n) {
  const int step = n < 0 ? -1 : 1;
  int left = n == 0 ? 1 : n * step;
  for (int place = static_cast<int>(base); place >= 0 && place < 32; place += step) {
    left -= static_cast<int>(mask >> place & 1u);
    if (left == 0 && (mask >> place & 1u) != 0)
      return static_cast<unsigned>(place);
    if (n == 0)
      break;
  }
  return ~0u;
}
SINTER_HIP_BOTH unsigned __bitextract_u32(unsigned x, unsigned first, unsigned width) {
  first &= 31, width &= 31;
  return width == 0 ? 0 : x >> first & (1u << width) - 1;
}
SINTER_HIP_BOTH unsigned long long __bitextract_u64(unsigned long long x, unsigned first, unsigned width) {
  first &= 63, width &= 63;
  return width == 0 ? 0 : x >> first & (1ull << width) - 1;
}
SINTER_HIP_BOTH unsigned __bitinsert_u32(unsigned x, unsigned y, unsigned first, unsigned width) {
  first &= 31, width &= 31;
  const unsigned mask = (1u << width) - 1;
  return (x & ~(mask << first)) | (y & mask) << first;
}
SINTER_HIP_BOTH unsigned long long __bitinsert_u64(unsigned long long x, unsigned long long y, unsigned first,
                                                   unsigned width) {
  first &= 63, width &= 63;
  const unsigned long long mask = (1ull << width) - 1;
  return (x & ~(mask << first)) | (y & mask) << first;
}

#endif
