// The peer of cuda/patterns/radial.hpp.
#ifndef BENCHES_PEERS_PATTERNS_RADIAL_CUH
#define BENCHES_PEERS_PATTERNS_RADIAL_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/radial.hpp"

namespace gpu::patterns {

static __global__ void radial_kernel(const particle *particles, unsigned long long *counts, int n) {
  __shared__ particle tile[radial_group];
  __shared__ unsigned mine[radial_bins];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  for (int b = l; b < radial_bins; b += radial_group)
    mine[b] = 0;
  const particle self = particles[i];
  for (int first = 0; first < n; first += radial_group) {
    tile[l] = particles[first + l];
    __syncthreads();
    for (int k = 0; k < radial_group; k++) {
      float dx = tile[k].x - self.x, dy = tile[k].y - self.y, dz = tile[k].z - self.z;
      dx -= box * rintf(dx / box);
      dy -= box * rintf(dy / box);
      dz -= box * rintf(dz / box);
      const float square = dx * dx + dy * dy + dz * dz;
      if (square < cutoff * cutoff && first + k != i)
        atomicAdd(&mine[int(sqrtf(square) / bin_width)], 1u);
    }
    __syncthreads();
  }
  for (int b = l; b < radial_bins; b += radial_group)
    atomicAdd(&counts[b], static_cast<unsigned long long>(mine[b]));
}

inline void submit(cuda_device &device, const radial &p) {
  device.clear(p.counts, radial_bins);
  gpu::launch(radial_kernel, groups(p.count, radial_group), radial_group, p.particles, p.counts, p.count);
}

} // namespace gpu::patterns

#endif
