// Native (implementation-defined precision) functions: the instructions for f32. There are none for
// f64.
#include "elementary.hpp"

constexpr f32 turns = 0.159154943091895335769f;

// The instructions take angles in turns, within a limited range.
static inline f32 part_of_turn(f32 x) { return __builtin_amdgcn_fractf(x * turns); }
static inline f32 sine(f32 x) { return __builtin_amdgcn_sinf(part_of_turn(x)); }
static inline f32 cosine(f32 x) { return __builtin_amdgcn_cosf(part_of_turn(x)); }
static inline f32 power_of_2(f32 x) { return __builtin_amdgcn_exp2f(x); }
static inline f32 logarithm_to_2(f32 x) { return __builtin_amdgcn_logf(x); }
static inline f32 reciprocal(f32 x) { return __builtin_amdgcn_rcpf(x); }
static inline f32 root(f32 x) { return __builtin_amdgcn_sqrtf(x); }
static inline f32 reciprocal_root(f32 x) { return __builtin_amdgcn_rsqf(x); }
static inline f32 quotient(f32 x, f32 y) { return x * reciprocal(y); }

#include "../generic/native.hpp"
