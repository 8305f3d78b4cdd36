// Arithmetic on 16-bit storage by half precision instructions, if the device has them; else in f32,
// which gives the same rounding (except quotients if the device's are not correctly rounded).
#include "features.hpp"

#include "../generic/half_bits.hpp"

#define ARITHMETIC(NAME, OP)                                                                                           \
  SSCP_BUILTIN u16 __acpp_sscp_half_##NAME(u16 a, u16 b) {                                                             \
    if (__sinter_spirv_has_fp16())                                                                                     \
      return __builtin_bit_cast(u16, (f16)(__builtin_bit_cast(f16, a) OP __builtin_bit_cast(f16, b)));                 \
    return half_bits::of(half_bits::wide(a) OP half_bits::wide(b));                                                    \
  }
#define COMPARISON(NAME, OP)                                                                                           \
  SSCP_BUILTIN bool __acpp_sscp_half_##NAME(u16 a, u16 b) {                                                            \
    if (__sinter_spirv_has_fp16())                                                                                     \
      return __builtin_bit_cast(f16, a) OP __builtin_bit_cast(f16, b);                                                 \
    return half_bits::wide(a) OP half_bits::wide(b);                                                                   \
  }

ARITHMETIC(add, +)
ARITHMETIC(sub, -)
ARITHMETIC(mul, *)
ARITHMETIC(div, /)
COMPARISON(lt, <)
COMPARISON(lte, <=)
COMPARISON(gt, >)
COMPARISON(gte, >=)
