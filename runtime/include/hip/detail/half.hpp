// `__half` and `__half2`: the 16-bit format of IEEE 754.
#ifndef HIP_DETAIL_HALF_HPP
#define HIP_DETAIL_HALF_HPP

#include "../../sycl/detail/short_floats.hpp"
#include "../hip_runtime.h"
#include "conversions.hpp"

#define SINTER_HIP_SHORT __half
#define SINTER_HIP_PAIR __half2
#define SINTER_HIP_RAW __half_raw
#define SINTER_HIP_RAW_PAIR __half2_raw
#define SINTER_HIP_MAKE make_half2
#define SINTER_HIP_DOUBLED __half2half2
#define SINTER_HIP_WORD(a, b) a##half##b
#define SINTER_HIP_TO_BITS(x) __builtin_bit_cast(unsigned short, sycl::detail::to_f16(x))
#define SINTER_HIP_OF_BITS(bits) sycl::detail::from_f16(__builtin_bit_cast(sycl::detail::f16, bits))
#define SINTER_HIP_FUSED(a, b, c)                                                                                    \
  __builtin_bit_cast(unsigned short, sycl::detail::fused_f16(__builtin_bit_cast(sycl::detail::f16, a),               \
                                                             __builtin_bit_cast(sycl::detail::f16, b),               \
                                                             __builtin_bit_cast(sycl::detail::f16, c)))
using sinter_hip_half_vector = sycl::detail::f16 __attribute__((ext_vector_type(2)));
#define SINTER_HIP_VECTOR sinter_hip_half_vector
#include "short_float.hpp"

using half = __half;
using half2 = __half2;

#define SINTER_HIP_HALF(bits) __ushort_as_half(static_cast<unsigned short>(bits))
#define CUDART_INF_FP16 SINTER_HIP_HALF(0x7c00u)
#define CUDART_NAN_FP16 SINTER_HIP_HALF(0x7fffu)
#define CUDART_MIN_DENORM_FP16 SINTER_HIP_HALF(0x0001u)
#define CUDART_MAX_NORMAL_FP16 SINTER_HIP_HALF(0x7bffu)
#define CUDART_NEG_ZERO_FP16 SINTER_HIP_HALF(0x8000u)
#define CUDART_ZERO_FP16 SINTER_HIP_HALF(0x0000u)
#define CUDART_ONE_FP16 SINTER_HIP_HALF(0x3c00u)
#define HIPRT_INF_FP16 CUDART_INF_FP16
#define HIPRT_NAN_FP16 CUDART_NAN_FP16
#define HIPRT_MIN_DENORM_FP16 CUDART_MIN_DENORM_FP16
#define HIPRT_MAX_NORMAL_FP16 CUDART_MAX_NORMAL_FP16
#define HIPRT_NEG_ZERO_FP16 CUDART_NEG_ZERO_FP16
#define HIPRT_ZERO_FP16 CUDART_ZERO_FP16
#define HIPRT_ONE_FP16 CUDART_ONE_FP16

#endif
