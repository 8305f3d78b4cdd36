// The peer of cuda/patterns/multipole.hpp.
#ifndef BENCHES_PEERS_PATTERNS_MULTIPOLE_CUH
#define BENCHES_PEERS_PATTERNS_MULTIPOLE_CUH

#include "gpu/cuda.cuh"

#include "gpu/patterns/multipole.hpp"

namespace gpu::patterns {

static __global__ void multipole_kernel(const pole *poles, const window_of_poles *windows, cross_sections *out) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  out[i] = sections(poles, windows, i);
}

inline void submit(cuda_device &, const multipole &p) {
  gpu::launch(multipole_kernel, groups(p.lookups, group_size), group_size, p.poles, p.windows, p.out);
}

} // namespace gpu::patterns

#endif
