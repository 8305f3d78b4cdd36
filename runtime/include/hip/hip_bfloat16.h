// `hip_bfloat16`: HIP's older type with this format, which numbers do not become by themselves.
#ifndef HIP_HIP_BFLOAT16_H
#define HIP_HIP_BFLOAT16_H

#include "detail/bfloat16.hpp"

#include <cstdint>

struct hip_bfloat16 {
  std::uint16_t data;

  enum truncate_t { truncate };
  hip_bfloat16() = default;
  SINTER_HIP_BOTH explicit constexpr hip_bfloat16(float x) : data(__hip_bfloat16(x).__x) {}
  SINTER_HIP_BOTH explicit constexpr hip_bfloat16(float x, truncate_t)
      : data(static_cast<std::uint16_t>(__builtin_bit_cast(std::uint32_t, x) >> 16)) {}
  static SINTER_HIP_BOTH constexpr hip_bfloat16 round_to_bfloat16(float x) { return hip_bfloat16(x); }
  static SINTER_HIP_BOTH constexpr hip_bfloat16 round_to_bfloat16(float x, truncate_t how) {
    return hip_bfloat16(x, how);
  }
  SINTER_HIP_BOTH constexpr operator float() const { return __hip_bfloat16(__hip_bfloat16_raw{data}); }
  SINTER_HIP_BOTH hip_bfloat16 &operator=(const float &x) { return *this = hip_bfloat16(x); }
  SINTER_HIP_BOTH hip_bfloat16 &operator=(const hip_bfloat16 &) = default;
  SINTER_HIP_BOTH constexpr hip_bfloat16(const hip_bfloat16 &) = default;
};

#define SINTER_HIP_OPERATION(op)                                                                                     \
  SINTER_HIP_BOTH constexpr hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {                               \
    return hip_bfloat16(static_cast<float>(a) op static_cast<float>(b));                                             \
  }                                                                                                                  \
  SINTER_HIP_BOTH hip_bfloat16 &operator op##=(hip_bfloat16 & a, hip_bfloat16 b) { return a = a op b; }
SINTER_HIP_OPERATION(+)
SINTER_HIP_OPERATION(-)
SINTER_HIP_OPERATION(*)
SINTER_HIP_OPERATION(/)
#undef SINTER_HIP_OPERATION
SINTER_HIP_BOTH constexpr hip_bfloat16 operator-(hip_bfloat16 a) { return hip_bfloat16(-static_cast<float>(a)); }

#endif
