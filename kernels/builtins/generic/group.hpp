// Group functions: operations, position in the work-group and types, shared by all targets.
#pragma once
#include "types.hpp"

#define CONVERGENT __attribute__((convergent))
#define SSCP_COLLECTIVE SSCP_BUILTIN CONVERGENT
// Inlined into the builtins when the library is compiled.
#define INLINED CONVERGENT __attribute__((always_inline)) inline
#define INLINED_LAMBDA __attribute__((always_inline, convergent))

// Types of the functions that move values, and of those that compute with them.
#define ALL_MOVED(M) M(i8) M(i16) M(i32) M(i64)
#define ALL_COMBINED(M) M(i8) M(i16) M(i32) M(i64) M(u8) M(u16) M(u32) M(u64) M(f16) M(f32) M(f64)

template <class T> inline constexpr bool is_float = false;
template <> inline constexpr bool is_float<f16> = true;
template <> inline constexpr bool is_float<f32> = true;
template <> inline constexpr bool is_float<f64> = true;

// Floating-point numbers have no bitwise operations; the headers never request them.
template <class T> __attribute__((always_inline)) inline T combine_bits(operation op, T a, T b) {
  if constexpr (is_float<T>)
    return a;
  else
    return (T)(op == operation::bit_and ? a & b : op == operation::bit_or ? a | b : a ^ b);
}

// The operations of sycl::plus and its siblings: minimum and maximum return the first of equal
// values. Integer sums wrap around (see the flags in build.rs). After inlining the operation is a
// constant and one case is left.
template <class T> __attribute__((always_inline)) inline T combine(operation op, T a, T b) {
  switch (op) {
  case operation::plus: return (T)(a + b);
  case operation::multiply: return (T)(a * b);
  case operation::min: return b < a ? b : a;
  case operation::max: return a < b ? b : a;
  case operation::logical_and: return (T)(a && b);
  case operation::logical_or: return (T)(a || b);
  default: return combine_bits(op, a, b);
  }
}

// Defined by the translator for each launch shape.
extern "C" u64 __acpp_sscp_get_local_id_x();
extern "C" u64 __acpp_sscp_get_local_id_y();
extern "C" u64 __acpp_sscp_get_local_id_z();
extern "C" u64 __acpp_sscp_get_local_size_x();
extern "C" u64 __acpp_sscp_get_local_size_y();
extern "C" u64 __acpp_sscp_get_local_size_z();

namespace group {

// Position of the work-item in its work-group; x is the fastest dimension.
__attribute__((always_inline)) inline u64 local_linear_id() {
  u64 row = __acpp_sscp_get_local_id_y() + __acpp_sscp_get_local_size_y() * __acpp_sscp_get_local_id_z();
  return __acpp_sscp_get_local_id_x() + __acpp_sscp_get_local_size_x() * row;
}

__attribute__((always_inline)) inline u64 local_linear_range() {
  return __acpp_sscp_get_local_size_x() * __acpp_sscp_get_local_size_y() * __acpp_sscp_get_local_size_z();
}

} // namespace group
