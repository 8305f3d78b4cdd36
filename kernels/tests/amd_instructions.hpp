// Instructions of AMD's GPUs that the CPU does not have, as the manuals of the instruction sets
// describe them. The results of those that approximate are as far off as they may be, in one
// direction.
#pragma once
#include "instructions.hpp"

namespace amd_instructions {

// What is too large becomes the largest number, what is no number becomes 0.
template <class To, class From> To convert(From x) { return x != x ? 0 : instructions::convert<To>(x); }

} // namespace amd_instructions

extern "C" {
[[gnu::used]] std::int32_t amd_convert_float_i32(float x) { return amd_instructions::convert<std::int32_t>(x); }
[[gnu::used]] std::int32_t amd_convert_double_i32(double x) { return amd_instructions::convert<std::int32_t>(x); }
[[gnu::used]] std::int64_t amd_convert_double_i64(double x) { return amd_instructions::convert<std::int64_t>(x); }
// One unit. Subnormal numbers are lost.
[[gnu::used]] float amd_rsqrt_f32(float x) {
  return instructions::off_by_units(1 / std::sqrt(double(instructions::flush(x))), 1);
}
// 2^29 units.
[[gnu::used]] double amd_rsqrt_f64(double x) { return 1 / std::sqrt(x) * (1 + instructions::deviation * 0x1p-24); }
[[gnu::used]] double amd_canonical(double x) { return x; }
}
