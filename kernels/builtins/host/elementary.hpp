// Elementary functions of the host: LLVM's intrinsic where there is one, else libm's function.
#pragma once
#include "../generic/exact.hpp"

namespace math {

inline f32 acos(f32 x) { return __builtin_acosf(x); }
inline f64 acos(f64 x) { return __builtin_acos(x); }
inline f32 asin(f32 x) { return __builtin_asinf(x); }
inline f64 asin(f64 x) { return __builtin_asin(x); }
inline f32 atan(f32 x) { return __builtin_atanf(x); }
inline f64 atan(f64 x) { return __builtin_atan(x); }
inline f32 atan2(f32 y, f32 x) { return __builtin_atan2f(y, x); }
inline f64 atan2(f64 y, f64 x) { return __builtin_atan2(y, x); }
inline f32 sin(f32 x) { return __builtin_sinf(x); }
inline f64 sin(f64 x) { return __builtin_sin(x); }
inline f32 cos(f32 x) { return __builtin_cosf(x); }
inline f64 cos(f64 x) { return __builtin_cos(x); }
inline f32 pow(f32 x, f32 y) { return __builtin_powf(x, y); }
inline f64 pow(f64 x, f64 y) { return __builtin_pow(x, y); }

inline f32 rsqrt(f32 x) { return 1 / sqrt(x); }
inline f64 rsqrt(f64 x) { return 1 / sqrt(x); }

} // namespace math
