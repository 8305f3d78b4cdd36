// `__hip_bfloat16` and `__hip_bfloat162`: the upper half of a float. CUDA's names are theirs.
#ifndef HIP_DETAIL_BFLOAT16_HPP
#define HIP_DETAIL_BFLOAT16_HPP

#include "../../sycl/detail/short_floats.hpp"
#include "../hip_runtime.h"
#include "conversions.hpp"

#define SINTER_HIP_SHORT __hip_bfloat16
#define SINTER_HIP_PAIR __hip_bfloat162
#define SINTER_HIP_RAW __hip_bfloat16_raw
#define SINTER_HIP_RAW_PAIR __hip_bfloat162_raw
#define SINTER_HIP_MAKE make_bfloat162
#define SINTER_HIP_DOUBLED __bfloat162bfloat162
#define SINTER_HIP_WORD(a, b) a##bfloat16##b
#define SINTER_HIP_TO_BITS(x) sycl::detail::to_bf16(x)
#define SINTER_HIP_OF_BITS(bits) sycl::detail::from_bf16(bits)
#define SINTER_HIP_FUSED(a, b, c) sycl::detail::fused_bf16(a, b, c)
#include "short_float.hpp"

#define SINTER_HIP_BF16(bits) __ushort_as_bfloat16(static_cast<unsigned short>(bits))
#define CUDART_INF_BF16 SINTER_HIP_BF16(0x7f80u)
#define CUDART_NAN_BF16 SINTER_HIP_BF16(0x7fffu)
#define CUDART_MIN_DENORM_BF16 SINTER_HIP_BF16(0x0001u)
#define CUDART_MAX_NORMAL_BF16 SINTER_HIP_BF16(0x7f7fu)
#define CUDART_NEG_ZERO_BF16 SINTER_HIP_BF16(0x8000u)
#define CUDART_ZERO_BF16 SINTER_HIP_BF16(0x0000u)
#define CUDART_ONE_BF16 SINTER_HIP_BF16(0x3f80u)
#define HIPRT_INF_BF16 CUDART_INF_BF16
#define HIPRT_NAN_BF16 CUDART_NAN_BF16
#define HIPRT_MIN_DENORM_BF16 CUDART_MIN_DENORM_BF16
#define HIPRT_MAX_NORMAL_BF16 CUDART_MAX_NORMAL_BF16
#define HIPRT_NEG_ZERO_BF16 CUDART_NEG_ZERO_BF16
#define HIPRT_ZERO_BF16 CUDART_ZERO_BF16
#define HIPRT_ONE_BF16 CUDART_ONE_BF16

#endif
