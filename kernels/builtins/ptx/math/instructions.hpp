// NVIDIA GPU instructions used by the functions of this folder, with their errors from the PTX
// manual. Tests run the functions on a CPU with results that are off by as much
// (tests/instructions.hpp).
#pragma once
#include "../../generic/exact.hpp"

namespace math {

// 2 to the power x, to 2 units in the last place. Subnormal arguments and results are flushed to 0.
inline f32 approximate_exp2(f32 x) { return __nvvm_ex2_approx_ftz_f(x); }
// The same with subnormal numbers.
inline f32 approximate_exp2_whole(f32 x) { return __nvvm_ex2_approx_f(x); }
// Error of 2^-22: absolute for x from 1/2 to 2, else relative.
inline f32 approximate_log2(f32 x) { return __nvvm_lg2_approx_f(x); }
// 1/x to 1 unit in the last place. Subnormal numbers are flushed.
inline f32 approximate_reciprocal(f32 x) { return __nvvm_rcp_approx_ftz_f(x); }
// 1/x to 2^-19. Subnormal numbers are flushed.
inline f64 approximate_reciprocal(f64 x) { return __nvvm_rcp_approx_ftz_d(x); }
// x clamped to [0, 1]; 0 for NaN.
inline f32 saturate(f32 x) { return __nvvm_saturate_f(x); }
// The rounded product, which must not be contracted with an addition: its error is computed
// separately.
inline f32 product(f32 x, f32 y) { return __nvvm_mul_rn_f(x, y); }

inline u32 bits(f32 x) { return __builtin_bit_cast(u32, x); }
inline u64 bits(f64 x) { return __builtin_bit_cast(u64, x); }
inline f64 from_bits(u64 x) { return __builtin_bit_cast(f64, x); }
inline f32 from_bits(u32 x) { return __builtin_bit_cast(f32, x); }

constexpr f32 infinity = __builtin_inff();
// Adding this to a number below 2^22 and subtracting it again rounds to an integer; the low bits of
// the sum are that integer.
constexpr f32 whole = 0x1.8p23f;

// A polynomial by Horner's rule, the constant coefficient first.
template <class T> inline T polynomial(T, T c) { return c; }
template <class T, class... C> inline T polynomial(T x, T c, C... higher) {
  return fma(x, polynomial(x, higher...), c);
}

} // namespace math
