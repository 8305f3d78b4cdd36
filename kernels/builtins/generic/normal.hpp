// True if a number is normal, by `llvm.is.fpclass`.
#pragma once
#include "types.hpp"

SSCP_BUILTIN i32 __acpp_sscp_isnormal_f32(f32 x) { return __builtin_isnormal(x); }
SSCP_BUILTIN i32 __acpp_sscp_isnormal_f64(f64 x) { return __builtin_isnormal(x); }
