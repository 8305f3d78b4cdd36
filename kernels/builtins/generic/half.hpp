// Arithmetic on 16-bit storage, for every target whose f16 has no excess precision.
#pragma once
#include "types.hpp"

#define ARITHMETIC(NAME, OP)                                                                                           \
  SSCP_BUILTIN u16 __acpp_sscp_half_##NAME(u16 a, u16 b) {                                                              \
    return __builtin_bit_cast(u16, (f16)(__builtin_bit_cast(f16, a) OP __builtin_bit_cast(f16, b)));                    \
  }
#define COMPARISON(NAME, OP)                                                                                           \
  SSCP_BUILTIN bool __acpp_sscp_half_##NAME(u16 a, u16 b) {                                                             \
    return __builtin_bit_cast(f16, a) OP __builtin_bit_cast(f16, b);                                                    \
  }

ARITHMETIC(add, +)
ARITHMETIC(sub, -)
ARITHMETIC(mul, *)
ARITHMETIC(div, /)
COMPARISON(lt, <)
COMPARISON(lte, <=)
COMPARISON(gt, >)
COMPARISON(gte, >=)
