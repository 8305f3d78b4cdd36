// The peer of cuda/patterns/convolution.hpp. The coefficients are in constant memory, as usual in
// CUDA programs.
#ifndef BENCHES_PEERS_PATTERNS_CONVOLUTION_CUH
#define BENCHES_PEERS_PATTERNS_CONVOLUTION_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/convolution.hpp"

namespace gpu::patterns {

__constant__ float convolution_coefficients[filter_size];

static __global__ void convolution_rows(const float *in, float *out, int n) {
  constexpr int width = convolution<along::rows>::block_x, height = convolution<along::rows>::block_y;
  __shared__ float tile[height][(filter_steps + 2) * width];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first = (blockIdx.x * filter_steps - 1) * width + x, row = blockIdx.y * height + y;
  in += row * n + first;
#pragma unroll
  for (int step = 0; step < filter_steps + 2; step++) {
    const int column = first + step * width;
    tile[y][step * width + x] = column >= 0 && column < n ? in[step * width] : 0;
  }
  __syncthreads();
#pragma unroll
  for (int step = 1; step <= filter_steps; step++) {
    float sum = 0;
#pragma unroll
    for (int k = -filter_radius; k <= filter_radius; k++)
      sum += convolution_coefficients[filter_radius - k] * tile[y][step * width + x + k];
    out[row * n + first + step * width] = sum;
  }
}

static __global__ void convolution_columns(const float *in, float *out, int n) {
  constexpr int width = convolution<along::columns>::block_x, height = convolution<along::columns>::block_y;
  __shared__ float tile[width][(filter_steps + 2) * height + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first = (blockIdx.y * filter_steps - 1) * height + y, column = blockIdx.x * width + x;
  in += first * n + column;
#pragma unroll
  for (int step = 0; step < filter_steps + 2; step++) {
    const int row = first + step * height;
    tile[x][step * height + y] = row >= 0 && row < n ? in[step * height * n] : 0;
  }
  __syncthreads();
#pragma unroll
  for (int step = 1; step <= filter_steps; step++) {
    float sum = 0;
#pragma unroll
    for (int k = -filter_radius; k <= filter_radius; k++)
      sum += convolution_coefficients[filter_radius - k] * tile[x][step * height + y + k];
    out[(first + step * height) * n + column] = sum;
  }
}

// The symbol is initialised once: both directions have the same coefficients.
inline void load_coefficients(const float *from) {
  static const cudaError_t loaded =
      cudaMemcpyToSymbol(convolution_coefficients, from, sizeof convolution_coefficients, 0, cudaMemcpyDeviceToDevice);
  must(loaded, "cudaMemcpyToSymbol");
}

inline void submit(cuda_device &, const convolution<along::rows> &p) {
  load_coefficients(p.coefficients);
  const dim3 blocks(groups(p.side, filter_steps * p.block_x), groups(p.side, p.block_y));
  gpu::launch(convolution_rows, blocks, dim3(p.block_x, p.block_y), p.in, p.out, p.side);
}
inline void submit(cuda_device &, const convolution<along::columns> &p) {
  load_coefficients(p.coefficients);
  const dim3 blocks(groups(p.side, p.block_x), groups(p.side, filter_steps * p.block_y));
  gpu::launch(convolution_columns, blocks, dim3(p.block_x, p.block_y), p.in, p.out, p.side);
}

} // namespace gpu::patterns

#endif
