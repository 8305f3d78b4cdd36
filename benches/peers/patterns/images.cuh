// The peer of cuda/patterns/images.hpp.
#ifndef BENCHES_PEERS_PATTERNS_IMAGES_CUH
#define BENCHES_PEERS_PATTERNS_IMAGES_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/images.hpp"

namespace gpu::patterns {

static __global__ void sobel_kernel(const std::uint8_t *in, std::uint8_t *out, int n) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x, i = y * n + x;
  if (x == 0 || x == n - 1 || y == 0 || y == n - 1) {
    out[i] = 0;
    return;
  }
  const int across = in[i - n + 1] + 2 * in[i + 1] + in[i + n + 1] - in[i - n - 1] - 2 * in[i - 1] - in[i + n - 1];
  const int down = in[i + n - 1] + 2 * in[i + n] + in[i + n + 1] - in[i - n - 1] - 2 * in[i - n] - in[i - n + 1];
  const float size = sqrtf(float(across * across + down * down));
  out[i] = size > 255 ? 255 : std::uint8_t(size);
}

inline void submit(cuda_device &, const sobel &p) {
  const dim3 blocks(groups(p.side, image_block), groups(p.side, image_block));
  gpu::launch(sobel_kernel, blocks, dim3(image_block, image_block), p.in, p.out, p.side);
}

static __global__ void bilateral_kernel(const float *in, float *out, int n) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
  const float middle = in[y * n + x];
  float sum = 0, weights = 0;
  for (int dy = -bilateral_radius; dy <= bilateral_radius; dy++)
    for (int dx = -bilateral_radius; dx <= bilateral_radius; dx++) {
      const int row = min(max(y + dy, 0), n - 1), column = min(max(x + dx, 0), n - 1);
      const float other = in[row * n + column], difference = other - middle;
      const float weight = expf(-(dx * dx + dy * dy) * by_distance - difference * difference * by_value);
      sum += weight * other;
      weights += weight;
    }
  out[y * n + x] = sum / weights;
}

inline void submit(cuda_device &, const bilateral &p) {
  const dim3 blocks(groups(p.side, image_block), groups(p.side, image_block));
  gpu::launch(bilateral_kernel, blocks, dim3(image_block, image_block), p.in, p.out, p.side);
}

} // namespace gpu::patterns

#endif
