// Vector types, with the alignment that CUDA gives them, and dim3.
#ifndef HIP_VECTOR_TYPES_H
#define HIP_VECTOR_TYPES_H

#include "detail/attributes.hpp"

// Those of HIP in C++ have constructors, others are aggregates.
#if defined(SINTER_HIP_IS_CUDA) || !defined(__cplusplus)
#define SINTER_HIP_CONSTRUCT(name, type, parameters, first, ...)
#define SINTER_HIP_CONSTRUCT_ONE(name, type)
#else
#define SINTER_HIP_CONSTRUCT(name, type, parameters, fill, ...)                                                       \
  name() = default;                                                                                                  \
  explicit constexpr __host__ __device__ name(type all) : fill {}                                                    \
  constexpr __host__ __device__ name parameters : __VA_ARGS__ {}
#define SINTER_HIP_CONSTRUCT_ONE(name, type)                                                                          \
  name() = default;                                                                                                  \
  constexpr __host__ __device__ name(type x) : x(x) {}
#endif
#define SINTER_HIP_VECTORS(name, type)                                                                                \
  typedef struct name##1 name##1;                                                                                    \
  typedef struct name##2 name##2;                                                                                    \
  typedef struct name##3 name##3;                                                                                    \
  typedef struct name##4 name##4;                                                                                    \
  struct name##1 {                                                                                                   \
    type x;                                                                                                          \
    SINTER_HIP_CONSTRUCT_ONE(name##1, type)                                                                          \
  };                                                                                                                 \
  struct __attribute__((aligned(2 * sizeof(type)))) name##2 {                                                        \
    type x, y;                                                                                                       \
    SINTER_HIP_CONSTRUCT(name##2, type, (type x, type y), name##2(all, all), x(x), y(y))                             \
  };                                                                                                                 \
  struct name##3 {                                                                                                   \
    type x, y, z;                                                                                                    \
    SINTER_HIP_CONSTRUCT(name##3, type, (type x, type y, type z), name##3(all, all, all), x(x), y(y), z(z))          \
  };                                                                                                                 \
  struct __attribute__((aligned(sizeof(type) < 8 ? 4 * sizeof(type) : 16))) name##4 {                                \
    type x, y, z, w;                                                                                                 \
    SINTER_HIP_CONSTRUCT(name##4, type, (type x, type y, type z, type w), name##4(all, all, all, all), x(x), y(y),   \
                         z(z), w(w))                                                                                 \
  };                                                                                                                 \
  SINTER_HIP_BOTH name##1 make_##name##1(type x) { return SINTER_HIP_MAKE(name##1){x}; }                             \
  SINTER_HIP_BOTH name##2 make_##name##2(type x, type y) { return SINTER_HIP_MAKE(name##2){x, y}; }                  \
  SINTER_HIP_BOTH name##3 make_##name##3(type x, type y, type z) { return SINTER_HIP_MAKE(name##3){x, y, z}; }       \
  SINTER_HIP_BOTH name##4 make_##name##4(type x, type y, type z, type w) {                                      \
    return SINTER_HIP_MAKE(name##4){x, y, z, w};                                                                     \
  }
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
#undef SINTER_HIP_CONSTRUCT
#undef SINTER_HIP_CONSTRUCT_ONE

typedef struct dim3 dim3;
struct dim3 {
  unsigned x, y, z;
#ifdef __cplusplus
  constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ operator uint3() const { return uint3{x, y, z}; }
#endif
};

#endif
