// The peer of cuda/patterns/gups.hpp.
#ifndef BENCHES_PEERS_PATTERNS_GUPS_CUH
#define BENCHES_PEERS_PATTERNS_GUPS_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/gups.hpp"

namespace gpu::patterns {

template <update Kind>
__global__ void gups_kernel(const std::uint64_t *starts, std::uint64_t *table, std::uint64_t mask) {
  std::uint64_t x = starts[blockIdx.x * std::size_t(blockDim.x) + threadIdx.x];
  for (int k = 0; k < updates_per_item; k++) {
    x = shifted(x);
    if constexpr (Kind == update::plain)
      table[x & mask] ^= x;
    else
      atomicXor(reinterpret_cast<unsigned long long *>(&table[x & mask]), static_cast<unsigned long long>(x));
  }
}

template <update Kind> void submit(cuda_device &, const gups<Kind> &p) {
  gpu::launch(gups_kernel<Kind>, groups(p.items, group_size), group_size, p.starts, p.table, p.words - 1);
}

} // namespace gpu::patterns

#endif
