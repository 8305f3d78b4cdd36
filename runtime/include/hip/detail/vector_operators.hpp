// Arithmetic of vector types, which HIP has and CUDA leaves to the program.
#ifndef HIP_DETAIL_VECTOR_OPERATORS_HPP
#define HIP_DETAIL_VECTOR_OPERATORS_HPP

#include "../hip_vector_types.h"

// Operators between vectors, and between a vector and a number, by the number of elements.
#define SINTER_HIP_OPERATOR_1(name, type, op)                                                                        \
  SINTER_HIP_BOTH name##1 operator op(const name##1 & a, const name##1 & b) {                                        \
    return name##1 {static_cast<type>(a.x op b.x)};                                                                  \
  }                                                                                                                  \
  SINTER_HIP_BOTH name##1 operator op(const name##1 & a, type b) { return name##1 {static_cast<type>(a.x op b)}; }   \
  SINTER_HIP_BOTH name##1 operator op(type a, const name##1 & b) { return name##1 {static_cast<type>(a op b.x)}; }   \
  SINTER_HIP_BOTH name##1 &operator op##=(name##1 & a, const name##1 & b) { return a = a op b; }                     \
  SINTER_HIP_BOTH name##1 &operator op##=(name##1 & a, type b) { return a = a op b; }
#define SINTER_HIP_COMPARE_1(name, type)                                                                             \
  SINTER_HIP_BOTH bool operator==(const name##1 & a, const name##1 & b) { return a.x == b.x; }                       \
  SINTER_HIP_BOTH bool operator!=(const name##1 & a, const name##1 & b) { return !(a == b); }                        \
  SINTER_HIP_BOTH name##1 operator-(const name##1 & a) { return name##1 {static_cast<type>(-a.x)}; }
#define SINTER_HIP_OPERATOR_2(name, type, op)                                                                        \
  SINTER_HIP_BOTH name##2 operator op(const name##2 & a, const name##2 & b) {                                        \
    return name##2 {static_cast<type>(a.x op b.x), static_cast<type>(a.y op b.y)};                                   \
  }                                                                                                                  \
  SINTER_HIP_BOTH name##2 operator op(const name##2 & a, type b) {                                                   \
    return name##2 {static_cast<type>(a.x op b), static_cast<type>(a.y op b)};                                       \
  }                                                                                                                  \
  SINTER_HIP_BOTH name##2 operator op(type a, const name##2 & b) {                                                   \
    return name##2 {static_cast<type>(a op b.x), static_cast<type>(a op b.y)};                                       \
  }                                                                                                                  \
  SINTER_HIP_BOTH name##2 &operator op##=(name##2 & a, const name##2 & b) { return a = a op b; }                     \
  SINTER_HIP_BOTH name##2 &operator op##=(name##2 & a, type b) { return a = a op b; }
#define SINTER_HIP_COMPARE_2(name, type)                                                                             \
  SINTER_HIP_BOTH bool operator==(const name##2 & a, const name##2 & b) { return a.x == b.x && a.y == b.y; }         \
  SINTER_HIP_BOTH bool operator!=(const name##2 & a, const name##2 & b) { return !(a == b); }                        \
  SINTER_HIP_BOTH name##2 operator-(const name##2 & a) {                                                             \
    return name##2 {static_cast<type>(-a.x), static_cast<type>(-a.y)};                                               \
  }
#define SINTER_HIP_OPERATOR_3(name, type, op)                                                                        \
  SINTER_HIP_BOTH name##3 operator op(const name##3 & a, const name##3 & b) {                                        \
    return name##3 {static_cast<type>(a.x op b.x), static_cast<type>(a.y op b.y), static_cast<type>(a.z op b.z)};    \
  }                                                                                                                  \
  SINTER_HIP_BOTH name##3 operator op(const name##3 & a, type b) {                                                   \
    return name##3 {static_cast<type>(a.x op b), static_cast<type>(a.y op b), static_cast<type>(a.z op b)};          \
  }                                                                                                                  \
  SINTER_HIP_BOTH name##3 operator op(type a, const name##3 & b) {                                                   \
    return name##3 {static_cast<type>(a op b.x), static_cast<type>(a op b.y), static_cast<type>(a op b.z)};          \
  }                                                                                                                  \
  SINTER_HIP_BOTH name##3 &operator op##=(name##3 & a, const name##3 & b) { return a = a op b; }                     \
  SINTER_HIP_BOTH name##3 &operator op##=(name##3 & a, type b) { return a = a op b; }
#define SINTER_HIP_COMPARE_3(name, type)                                                                             \
  SINTER_HIP_BOTH bool operator==(const name##3 & a, const name##3 & b) {                                            \
    return a.x == b.x && a.y == b.y && a.z == b.z;                                                                   \
  }                                                                                                                  \
  SINTER_HIP_BOTH bool operator!=(const name##3 & a, const name##3 & b) { return !(a == b); }                        \
  SINTER_HIP_BOTH name##3 operator-(const name##3 & a) {                                                             \
    return name##3 {static_cast<type>(-a.x), static_cast<type>(-a.y), static_cast<type>(-a.z)};                      \
  }
#define SINTER_HIP_OPERATOR_4(name, type, op)                                                                        \
  SINTER_HIP_BOTH name##4 operator op(const name##4 & a, const name##4 & b) {                                        \
    return name##4 {static_cast<type>(a.x op b.x), static_cast<type>(a.y op b.y), static_cast<type>(a.z op b.z),     \
                    static_cast<type>(a.w op b.w)};                                                                  \
  }                                                                                                                  \
  SINTER_HIP_BOTH name##4 operator op(const name##4 & a, type b) {                                                   \
    return name##4 {static_cast<type>(a.x op b), static_cast<type>(a.y op b), static_cast<type>(a.z op b),           \
                    static_cast<type>(a.w op b)};                                                                    \
  }                                                                                                                  \
  SINTER_HIP_BOTH name##4 operator op(type a, const name##4 & b) {                                                   \
    return name##4 {static_cast<type>(a op b.x), static_cast<type>(a op b.y), static_cast<type>(a op b.z),           \
                    static_cast<type>(a op b.w)};                                                                    \
  }                                                                                                                  \
  SINTER_HIP_BOTH name##4 &operator op##=(name##4 & a, const name##4 & b) { return a = a op b; }                     \
  SINTER_HIP_BOTH name##4 &operator op##=(name##4 & a, type b) { return a = a op b; }
#define SINTER_HIP_COMPARE_4(name, type)                                                                             \
  SINTER_HIP_BOTH bool operator==(const name##4 & a, const name##4 & b) {                                            \
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;                                                     \
  }                                                                                                                  \
  SINTER_HIP_BOTH bool operator!=(const name##4 & a, const name##4 & b) { return !(a == b); }                        \
  SINTER_HIP_BOTH name##4 operator-(const name##4 & a) {                                                             \
    return name##4 {static_cast<type>(-a.x), static_cast<type>(-a.y), static_cast<type>(-a.z),                       \
                    static_cast<type>(-a.w)};                                                                        \
  }
#define SINTER_HIP_SIZE(size, name, type)                                                                            \
  SINTER_HIP_OPERATOR_##size(name, type, +) SINTER_HIP_OPERATOR_##size(name, type, -)                                \
      SINTER_HIP_OPERATOR_##size(name, type, *) SINTER_HIP_OPERATOR_##size(name, type, /)                            \
          SINTER_HIP_COMPARE_##size(name, type)
#define SINTER_HIP_ALL(name, type)                                                                                   \
  SINTER_HIP_SIZE(1, name, type)                                                                                     \
  SINTER_HIP_SIZE(2, name, type)                                                                                     \
  SINTER_HIP_SIZE(3, name, type)                                                                                     \
  SINTER_HIP_SIZE(4, name, type)

SINTER_HIP_ALL(char, signed char)
SINTER_HIP_ALL(uchar, unsigned char)
SINTER_HIP_ALL(short, short)
SINTER_HIP_ALL(ushort, unsigned short)
SINTER_HIP_ALL(int, int)
SINTER_HIP_ALL(uint, unsigned int)
SINTER_HIP_ALL(long, long)
SINTER_HIP_ALL(ulong, unsigned long)
SINTER_HIP_ALL(longlong, long long)
SINTER_HIP_ALL(ulonglong, unsigned long long)
SINTER_HIP_ALL(float, float)
SINTER_HIP_ALL(double, double)
#undef SINTER_HIP_ALL
#undef SINTER_HIP_SIZE
#undef SINTER_HIP_OPERATOR_1
#undef SINTER_HIP_COMPARE_1
#undef SINTER_HIP_OPERATOR_2
#undef SINTER_HIP_COMPARE_2
#undef SINTER_HIP_OPERATOR_3
#undef SINTER_HIP_COMPARE_3
#undef SINTER_HIP_OPERATOR_4
#undef SINTER_HIP_COMPARE_4

#endif
