// The peer of cuda/patterns/integers.hpp.
#ifndef BENCHES_PEERS_PATTERNS_INTEGERS_CUH
#define BENCHES_PEERS_PATTERNS_INTEGERS_CUH

#include "gpu/cuda.cuh"

#include "gpu/patterns/integers.hpp"

namespace gpu::patterns {

template <hash_of Kind> __global__ void hashes_kernel(const std::uint32_t *in, std::uint64_t *out) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  out[i] = hashes<Kind>::at(in, i);
}

template <hash_of Kind> void submit(cuda_device &, const hashes<Kind> &p) {
  gpu::launch(hashes_kernel<Kind>, groups(p.records, group_size), group_size, p.in, p.out);
}

template <modular Kind> __global__ void powers_kernel(const std::uint64_t *in, std::uint64_t *out) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  out[i] = powers<Kind>::at(in[i]);
}

template <modular Kind> void submit(cuda_device &, const powers<Kind> &p) {
  gpu::launch(powers_kernel<Kind>, groups(p.count, group_size), group_size, p.in, p.out);
}

} // namespace gpu::patterns

#endif
