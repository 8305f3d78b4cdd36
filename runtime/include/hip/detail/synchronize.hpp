// Barriers, fences, cached loads.
#ifndef HIP_DETAIL_SYNCHRONIZE_HPP
#define HIP_DETAIL_SYNCHRONIZE_HPP

#include "atomics.hpp"

// The numbers are those of memory_scope and memory_order in the device interface: a work-group,
// the device, all; acquire and release, sequentially consistent.
SINTER_HIP_DEVICE SINTER_CONVERGENT void __syncthreads() { __acpp_sscp_work_group_barrier(2, 3); }
// Counts in shared memory, since the reductions of work-groups know nothing of work-items that have
// ended, which do not vote. Any of the others may be the one that clears the number.
SINTER_HIP_DEVICE SINTER_CONVERGENT int __syncthreads_count(int predicate) {
  __shared__ int votes;
  votes = 0;
  __syncthreads();
  if (predicate)
    atomicAdd_block(&votes, 1);
  __syncthreads();
  const int counted = votes;
  __syncthreads();
  return counted;
}
// The votes of NVIDIA's barriers are of those that have not ended.
SINTER_HIP_DEVICE SINTER_CONVERGENT int __syncthreads_and(int predicate) {
  if (__acpp_sscp_jit_reflect_compiler_backend() != sinter_hip_ptx_compiler)
    return __syncthreads_count(!predicate) == 0;
  __acpp_sscp_work_group_barrier(2, 3);
  return __acpp_sscp_work_group_all(predicate != 0);
}
SINTER_HIP_DEVICE SINTER_CONVERGENT int __syncthreads_or(int predicate) {
  if (__acpp_sscp_jit_reflect_compiler_backend() != sinter_hip_ptx_compiler)
    return __syncthreads_count(predicate) != 0;
  __acpp_sscp_work_group_barrier(2, 3);
  return __acpp_sscp_work_group_any(predicate != 0);
}
SINTER_HIP_DEVICE void __threadfence_block() { __acpp_sscp_fence(4, 2); }
SINTER_HIP_DEVICE void __threadfence() { __acpp_sscp_fence(4, 3); }
SINTER_HIP_DEVICE void __threadfence_system() { __acpp_sscp_fence(4, 4); }

#define SINTER_HIP_CACHED(name)                                                                                        \
  template <class Type> SINTER_HIP_DEVICE Type name(const Type *address) { return *address; }
SINTER_HIP_CACHED(__ldg)
SINTER_HIP_CACHED(__ldca)
SINTER_HIP_CACHED(__ldcg)
SINTER_HIP_CACHED(__ldcs)
SINTER_HIP_CACHED(__ldcv)
SINTER_HIP_CACHED(__ldlu)
#undef SINTER_HIP_CACHED
#define SINTER_HIP_CACHED(name)                                                                                        \
  template <class Type> SINTER_HIP_DEVICE void name(Type *address, Type value) { *address = value; }
SINTER_HIP_CACHED(__stwb)
SINTER_HIP_CACHED(__stcg)
SINTER_HIP_CACHED(__stcs)
SINTER_HIP_CACHED(__stwt)
#undef SINTER_HIP_CACHED

SINTER_HIP_DEVICE void __trap() { __builtin_trap(); }
SINTER_HIP_DEVICE void __nanosleep(unsigned) {}

#endif
