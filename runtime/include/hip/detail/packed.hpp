// Functions of four numbers of 8 bits, or two of 16, in one word.
#ifndef HIP_DETAIL_PACKED_HPP
#define HIP_DETAIL_PACKED_HPP

#include "attributes.hpp"

// Applies an expression of `x` and `y` to the numbers of a word, or adds its values.
#define SINTER_HIP_PACKED_2(name, width, type, result)                                                               \
  SINTER_HIP_BOTH unsigned name(unsigned a, unsigned b) {                                                            \
    unsigned all = 0;                                                                                                \
    for (int at = 0; at < 32; at += width) {                                                                         \
      const int x = static_cast<type>(a >> at), y = static_cast<type>(b >> at);                                      \
      all |= (static_cast<unsigned>(result) & (0xffffffffu >> (32 - width))) << at;                                  \
    }                                                                                                                \
    return all;                                                                                                      \
  }
#define SINTER_HIP_PACKED_1(name, width, type, result)                                                               \
  SINTER_HIP_BOTH unsigned name(unsigned a) {                                                                        \
    unsigned all = 0;                                                                                                \
    for (int at = 0; at < 32; at += width) {                                                                         \
      const int x = static_cast<type>(a >> at);                                                                      \
      all |= (static_cast<unsigned>(result) & (0xffffffffu >> (32 - width))) << at;                                  \
    }                                                                                                                \
    return all;                                                                                                      \
  }
#define SINTER_HIP_PACKED_SUM(name, width, type, result)                                                             \
  SINTER_HIP_BOTH unsigned name(unsigned a, unsigned b) {                                                            \
    unsigned sum = 0;                                                                                                \
    for (int at = 0; at < 32; at += width) {                                                                         \
      const int x = static_cast<type>(a >> at), y = static_cast<type>(b >> at);                                      \
      sum += static_cast<unsigned>(result);                                                                          \
    }                                                                                                                \
    return sum;                                                                                                      \
  }
#define SINTER_HIP_WITHIN(value, least, most) ((value) < (least) ? (least) : (value) > (most) ? (most) : (value))

// CUDA's names: `s` or `u` for the sign, then 2 or 4 numbers.
#define SINTER_HIP_PACKED(count, width, s_type, u_type, least, most)                                                 \
  SINTER_HIP_PACKED_2(__vadd##count, width, u_type, x + y)                                                           \
  SINTER_HIP_PACKED_2(__vsub##count, width, u_type, x - y)                                                           \
  SINTER_HIP_PACKED_2(__vaddss##count, width, s_type, SINTER_HIP_WITHIN(x + y, least, most))                         \
  SINTER_HIP_PACKED_2(__vsubss##count, width, s_type, SINTER_HIP_WITHIN(x - y, least, most))                         \
  SINTER_HIP_PACKED_2(__vaddus##count, width, u_type, SINTER_HIP_WITHIN(x + y, 0, 2 * most + 1))                     \
  SINTER_HIP_PACKED_2(__vsubus##count, width, u_type, SINTER_HIP_WITHIN(x - y, 0, 2 * most + 1))                     \
  SINTER_HIP_PACKED_2(__vmaxs##count, width, s_type, x < y ? y : x)                                                  \
  SINTER_HIP_PACKED_2(__vmins##count, width, s_type, y < x ? y : x)                                                  \
  SINTER_HIP_PACKED_2(__vmaxu##count, width, u_type, x < y ? y : x)                                                  \
  SINTER_HIP_PACKED_2(__vminu##count, width, u_type, y < x ? y : x)                                                  \
  SINTER_HIP_PACKED_2(__vavgs##count, width, s_type, (x + y + (x + y >= 0)) >> 1)                                    \
  SINTER_HIP_PACKED_2(__vavgu##count, width, u_type, (x + y + 1) >> 1)                                               \
  SINTER_HIP_PACKED_2(__vhaddu##count, width, u_type, (x + y) >> 1)                                                  \
  SINTER_HIP_PACKED_2(__vabsdiffs##count, width, s_type, x < y ? y - x : x - y)                                      \
  SINTER_HIP_PACKED_2(__vabsdiffu##count, width, u_type, x < y ? y - x : x - y)                                      \
  SINTER_HIP_PACKED_1(__vabs##count, width, s_type, x < 0 ? -x : x)                                                  \
  SINTER_HIP_PACKED_1(__vabsss##count, width, s_type, x == least ? most : x < 0 ? -x : x)                            \
  SINTER_HIP_PACKED_1(__vneg##count, width, s_type, -x)                                                              \
  SINTER_HIP_PACKED_1(__vnegss##count, width, s_type, x == least ? most : -x)                                        \
  SINTER_HIP_PACKED_SUM(__vsads##count, width, s_type, x < y ? y - x : x - y)                                        \
  SINTER_HIP_PACKED_SUM(__vsadu##count, width, u_type, x < y ? y - x : x - y)                                        \
  SINTER_HIP_PACKED_COMPARE(eq##count, width, u_type, ==)                                                            \
  SINTER_HIP_PACKED_COMPARE(ne##count, width, u_type, !=)                                                            \
  SINTER_HIP_PACKED_COMPARE(lts##count, width, s_type, <)                                                            \
  SINTER_HIP_PACKED_COMPARE(les##count, width, s_type, <=)                                                           \
  SINTER_HIP_PACKED_COMPARE(gts##count, width, s_type, >)                                                            \
  SINTER_HIP_PACKED_COMPARE(ges##count, width, s_type, >=)                                                           \
  SINTER_HIP_PACKED_COMPARE(ltu##count, width, u_type, <)                                                            \
  SINTER_HIP_PACKED_COMPARE(leu##count, width, u_type, <=)                                                           \
  SINTER_HIP_PACKED_COMPARE(gtu##count, width, u_type, >)                                                            \
  SINTER_HIP_PACKED_COMPARE(geu##count, width, u_type, >=)
// A mask of the numbers for which it is true, or 1 for each.
#define SINTER_HIP_PACKED_COMPARE(name, width, type, op)                                                             \
  SINTER_HIP_PACKED_2(__vcmp##name, width, type, x op y ? -1 : 0)                                                    \
  SINTER_HIP_PACKED_2(__vset##name, width, type, x op y ? 1 : 0)
SINTER_HIP_PACKED(2, 16, short, unsigned short, -0x8000, 0x7fff)
SINTER_HIP_PACKED(4, 8, signed char, unsigned char, -0x80, 0x7f)
#undef SINTER_HIP_PACKED_COMPARE
#undef SINTER_HIP_PACKED
#undef SINTER_HIP_WITHIN
#undef SINTER_HIP_PACKED_SUM
#undef SINTER_HIP_PACKED_1
#undef SINTER_HIP_PACKED_2

#endif
