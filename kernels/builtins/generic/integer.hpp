// Integer and relational functions, in C++ for every target.
#pragma once
#include "types.hpp"

SSCP_BUILTIN i32 __acpp_sscp_mul24_s32(i32 a, i32 b) {
  i64 wide = i64((i32)((u32)a << 8) >> 8) * i64((i32)((u32)b << 8) >> 8);
  return (i32)(u32)(u64)wide;
}
SSCP_BUILTIN u32 __acpp_sscp_mul24_u32(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }

// For 0 both return the width of the type.
#define COUNTS(T)                                                                                                      \
  SSCP_BUILTIN T __acpp_sscp_clz_##T(T x) { return (T)__builtin_clzg(x, (int)sizeof(T) * 8); }                          \
  SSCP_BUILTIN T __acpp_sscp_ctz_##T(T x) { return (T)__builtin_ctzg(x, (int)sizeof(T) * 8); }

COUNTS(u8)
COUNTS(u16)
COUNTS(u32)
COUNTS(u64)

SSCP_BUILTIN u32 __acpp_sscp_popcount_u32(u32 x) { return (u32)__builtin_popcountg(x); }
SSCP_BUILTIN u64 __acpp_sscp_popcount_u64(u64 x) { return (u64)__builtin_popcountg(x); }

#define CLASSES(T)                                                                                                     \
  SSCP_BUILTIN i32 __acpp_sscp_isnan_##T(T x) { return __builtin_isnan(x); }                                            \
  SSCP_BUILTIN i32 __acpp_sscp_isinf_##T(T x) { return __builtin_isinf(x); }                                            \
  SSCP_BUILTIN i32 __acpp_sscp_isfinite_##T(T x) { return __builtin_isfinite(x); }                                      \
  SSCP_BUILTIN i32 __acpp_sscp_signbit_##T(T x) { return __builtin_signbit(x) != 0; }

CLASSES(f32)
CLASSES(f64)
