// The peer of cuda/patterns/permute.hpp.
#ifndef BENCHES_PEERS_PATTERNS_PERMUTE_CUH
#define BENCHES_PEERS_PATTERNS_PERMUTE_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/permute.hpp"

namespace gpu::patterns {

template <int Group> __global__ void gather_kernel(const std::uint32_t *index, const float *in, float *out) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  out[i] = in[index[i]];
}

template <int Group> void submit(cuda_device &, const gather<Group> &p) {
  gpu::launch(gather_kernel<Group>, groups(p.count, Group), Group, p.index, p.in, p.out);
}

static __global__ void transposed_kernel(axis_order order, const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[transposed::source(order, i)];
}

inline void submit(cuda_device &, const transposed &p) {
  gpu::launch(transposed_kernel, groups(p.count, group_size), group_size, p.order, p.in, p.out, p.count);
}

} // namespace gpu::patterns

#endif
