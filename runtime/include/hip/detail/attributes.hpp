// Words of the language, and how device functions are declared.
#ifndef HIP_DETAIL_ATTRIBUTES_HPP
#define HIP_DETAIL_ATTRIBUTES_HPP

#if !defined(__SINTER__) && (defined(__HIP__) || defined(__CUDACC__))
#error "these headers are Sinter's: compile this file with sinter-cc, as HIP or CUDA (-x hip, .hip, .cu) if it has kernels"
#endif

#ifdef __HIP__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#else
#define __host__
#define __device__
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#ifndef __restrict__
#define __restrict__ __restrict
#endif

// In these headers: functions of host and device, and of devices only.
#ifdef __cplusplus
#define SINTER_HIP_BOTH __attribute__((always_inline)) inline __host__ __device__
#else
#define SINTER_HIP_BOTH static inline
#endif
#define SINTER_HIP_DEVICE __attribute__((always_inline)) inline __device__
// Casts, objects and default arguments of host code, which may be in C.
#ifdef __cplusplus
#define SINTER_HIP_AS(...) static_cast<__VA_ARGS__>
#define SINTER_HIP_FROM(...) reinterpret_cast<__VA_ARGS__>
#define SINTER_HIP_MAKE(type) type
#define SINTER_HIP_OR(value) = value
#else
#define SINTER_HIP_AS(...) (__VA_ARGS__)
#define SINTER_HIP_FROM(...) (__VA_ARGS__)
#define SINTER_HIP_MAKE(type) (type)
#define SINTER_HIP_OR(value)
#endif
// A parameter that only some work-items need a value for.
#define SINTER_HIP_MAYBE_UNDEFINED __attribute__((maybe_undef))

#endif
