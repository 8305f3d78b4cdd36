// The peer of cuda/patterns/groups.hpp.
#ifndef BENCHES_PEERS_PATTERNS_GROUPS_CUH
#define BENCHES_PEERS_PATTERNS_GROUPS_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/groups.hpp"
#include "warps.cuh"

namespace gpu::patterns {

static __global__ void fourier_kernel(const waves *in, waves *out) {
  __shared__ waves x[transform_size];
  const int l = threadIdx.x, first = blockIdx.x * transform_size;
  for (int i = l; i < transform_size; i += int(group_size))
    x[reversed(i)] = in[first + i];
  for (int half = 1; half < transform_size; half *= 2) {
    __syncthreads();
    for (int i = l; i < transform_size / 2; i += int(group_size)) {
      const int k = i & (half - 1), low = 2 * i - k, high = low + half;
      const float angle = -float(k) / float(half), c = cospif(angle), s = sinpif(angle);
      const waves a = x[low], b = x[high];
      const waves turned = {b.re * c - b.im * s, b.re * s + b.im * c};
      x[low] = {a.re + turned.re, a.im + turned.im};
      x[high] = {a.re - turned.re, a.im - turned.im};
    }
  }
  __syncthreads();
  for (int i = l; i < transform_size; i += int(group_size))
    out[first + i] = x[i];
}

inline void submit(cuda_device &, const fourier &p) {
  gpu::launch(fourier_kernel, groups(p.count, transform_size), group_size, p.in, p.out);
}

static __global__ void prefix_kernel(const std::uint32_t *in, std::uint32_t *out) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  out[i] = block_prefix(in[i]);
}

inline void submit(cuda_device &, const prefix &p) {
  gpu::launch(prefix_kernel, groups(p.count, group_size), group_size, p.in, p.out);
}

static __global__ void darts_kernel(unsigned long long *hits) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mine = 0;
  for (std::uint32_t k = 0; k < draws_per_item; k++)
    mine += in_circle(philox(k, i));
  const unsigned sum = block_sum(mine);
  if (threadIdx.x == 0)
    atomicAdd(hits, static_cast<unsigned long long>(sum));
}

inline void submit(cuda_device &device, const darts &p) {
  device.clear(p.hits, 1);
  gpu::launch(darts_kernel, groups(p.items, group_size), group_size, p.hits);
}

} // namespace gpu::patterns

#endif
