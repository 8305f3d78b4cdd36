// Vector types, with the alignment that CUDA gives them, and dim3.
#ifndef HIP_VECTOR_TYPES_H
#define HIP_VECTOR_TYPES_H

#include "detail/attributes.hpp"

#define SINTER_HIP_VECTORS(name, type)                                                                               \
  struct name##1 { type x; };                                                                                        \
  struct __attribute__((aligned(2 * sizeof(type)))) name##2 { type x, y; };                                          \
  struct name##3 { type x, y, z; };                                                                                  \
  struct __attribute__((aligned(sizeof(type) < 8 ? 4 * sizeof(type) : 16))) name##4 { type x, y, z, w; };            \
  SINTER_HIP_BOTH name##1 make_##name##1(type x) { return name##1 {x}; }                                             \
  SINTER_HIP_BOTH name##2 make_##name##2(type x, type y) { return name##2 {x, y}; }                                  \
  SINTER_HIP_BOTH name##3 make_##name##3(type x, type y, type z) { return name##3 {x, y, z}; }                       \
  SINTER_HIP_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return name##4 {x, y, z, w}; }
SINTER_HIP_VECTORS(char, signed char)
SINTER_HIP_VECTORS(uchar, unsigned char)
SINTER_HIP_VECTORS(short, short)
SINTER_HIP_VECTORS(ushort, unsigned short)
SINTER_HIP_VECTORS(int, int)
SINTER_HIP_VECTORS(uint, unsigned int)
SINTER_HIP_VECTORS(long, long)
SINTER_HIP_VECTORS(ulong, unsigned long)
SINTER_HIP_VECTORS(longlong, long long)
SINTER_HIP_VECTORS(ulonglong, unsigned long long)
SINTER_HIP_VECTORS(float, float)
SINTER_HIP_VECTORS(double, double)
#undef SINTER_HIP_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ operator uint3() const { return uint3{x, y, z}; }
};

#endif
