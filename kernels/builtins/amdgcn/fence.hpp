// Fences of the AMDGPU memory model, which order accesses to all address spaces.
#pragma once
#include "../generic/types.hpp"

#define FENCE_INLINE static inline __attribute__((always_inline))

// A fence has no effect for a single work-item.
#define FENCE_AT(ORDER)                                                                                                \
  switch (s) {                                                                                                         \
  case scope::work_item: break;                                                                                        \
  case scope::sub_group: __builtin_amdgcn_fence(ORDER, "wavefront"); break;                                            \
  case scope::work_group: __builtin_amdgcn_fence(ORDER, "workgroup"); break;                                           \
  case scope::device: __builtin_amdgcn_fence(ORDER, "agent"); break;                                                   \
  default: __builtin_amdgcn_fence(ORDER, ""); break;                                                                   \
  }

FENCE_INLINE void acquire_fence(scope s) { FENCE_AT(__ATOMIC_ACQUIRE) }
FENCE_INLINE void release_fence(scope s) { FENCE_AT(__ATOMIC_RELEASE) }
FENCE_INLINE void both_fence(scope s) { FENCE_AT(__ATOMIC_ACQ_REL) }
FENCE_INLINE void strict_fence(scope s) { FENCE_AT(__ATOMIC_SEQ_CST) }

FENCE_INLINE void fence(order o, scope s) {
  switch (o) {
  case order::relaxed: break;
  case order::acquire: acquire_fence(s); break;
  case order::release: release_fence(s); break;
  case order::acq_rel: both_fence(s); break;
  default: strict_fence(s); break;
  }
}
