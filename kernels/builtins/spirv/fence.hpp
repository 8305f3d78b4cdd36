// Fences. Scopes of a work-item or a sub-group need a fence of the work-group, the smallest scope
// that every device has.
#pragma once
#include "../generic/orders.hpp"
#include "instructions.hpp"

#define FENCE_INLINE static inline __attribute__((always_inline))

namespace spirv {

void MemoryBarrier(u32 scope, u32 semantics) SPIRV_OP(MemoryBarrier, "all");

} // namespace spirv

// Evaluates EXPRESSION, which uses the constant SCOPE, for a scope.
#define WITH_SCOPE(s, EXPRESSION)                                                                                      \
  switch (s) {                                                                                                         \
  case scope::work_item:                                                                                               \
  case scope::sub_group:                                                                                               \
  case scope::work_group: { constexpr u32 SCOPE = spirv::workgroup; EXPRESSION; } break;                               \
  case scope::device: { constexpr u32 SCOPE = spirv::device; EXPRESSION; } break;                                      \
  default: { constexpr u32 SCOPE = spirv::cross_device; EXPRESSION; } break;                                           \
  }

// A fence has no effect for a single work-item.
FENCE_INLINE void fence(order o, scope s) {
  if (o == order::relaxed || s == scope::work_item)
    return;
  WITH_SCOPE(s, WITH_ORDER(o, spirv::MemoryBarrier(SCOPE, spirv::semantics(ORDER))))
}
