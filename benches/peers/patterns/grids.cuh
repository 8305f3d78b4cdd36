// The peer of cuda/patterns/grids.hpp.
#ifndef BENCHES_PEERS_PATTERNS_GRIDS_CUH
#define BENCHES_PEERS_PATTERNS_GRIDS_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/grids.hpp"
#include "warps.cuh"

namespace gpu::patterns {

static __global__ void five_points_kernel(const double *in, double *out, std::size_t n) {
  const std::size_t y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x, i = y * n + x;
  if (x > 0 && x + 1 < n && y > 0 && y + 1 < n)
    out[i] = 0.5 * in[i] + 0.125 * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  else
    out[i] = in[i];
}

inline void submit(cuda_device &, const five_points &p) {
  const dim3 blocks(groups(p.side, grid_block), groups(p.side, grid_block));
  gpu::launch(five_points_kernel, blocks, dim3(grid_block, grid_block), p.in, p.out, p.side);
}

static __global__ void jacobi_kernel(const float *in, float *out, float *change, int n) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x, i = y * n + x;
  float next = in[i];
  if (x > 0 && x + 1 < n && y > 0 && y + 1 < n)
    next = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  out[i] = next;
  const float difference = next - in[i];
  const float sum = block_sum(difference * difference);
  if (threadIdx.x == 0 && threadIdx.y == 0)
    atomicAdd(change, sum);
}

inline void submit(cuda_device &device, const jacobi &p) {
  device.clear(p.change, 1);
  const dim3 blocks(groups(p.side, grid_block), groups(p.side, grid_block));
  gpu::launch(jacobi_kernel, blocks, dim3(grid_block, grid_block), p.in, p.out, p.change, p.side);
}

} // namespace gpu::patterns

#endif
