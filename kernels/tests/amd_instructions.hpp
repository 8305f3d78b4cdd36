// Emulates AMD GPU instructions that the CPU lacks, as the ISA manuals describe them. Results of
// approximate instructions have the maximum error, in one direction.
#pragma once
#include "instructions.hpp"

namespace amd_instructions {

// Saturates; NaN becomes 0.
template <class To, class From> To convert(From x) { return x != x ? 0 : instructions::convert<To>(x); }

} // namespace amd_instructions

extern "C" {
[[gnu::used]] std::int32_t amd_convert_float_i32(float x) { return amd_instructions::convert<std::int32_t>(x); }
[[gnu::used]] std::int32_t amd_convert_double_i32(double x) { return amd_instructions::convert<std::int32_t>(x); }
[[gnu::used]] std::int64_t amd_convert_double_i64(double x) { return amd_instructions::convert<std::int64_t>(x); }
// Error of one unit. Subnormal numbers are flushed.
[[gnu::used]] float amd_rsqrt_f32(float x) {
  return instructions::off_by_units(1 / std::sqrt(double(instructions::flush(x))), 1);
}
// Error of 2^29 units.
[[gnu::used]] double amd_rsqrt_f64(double x) { return 1 / std::sqrt(x) * (1 + instructions::deviation * 0x1p-24); }
[[gnu::used]] double amd_canonical(double x) { return x; }
}
