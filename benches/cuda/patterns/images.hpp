// Images in SYCL, beside peers/patterns/images.cuh.
#ifndef BENCHES_CUDA_PATTERNS_IMAGES_HPP
#define BENCHES_CUDA_PATTERNS_IMAGES_HPP

#include "gpu/patterns/images.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

inline void submit(sycl_device &device, const sobel &p) {
  device.queue.parallel_for(sycl::nd_range<2>({p.side, p.side}, {image_block, image_block}),
                            [in = p.in, out = p.out, n = int(p.side)](sycl::nd_item<2> item) {
                              const int y = item.get_global_id(0), x = item.get_global_id(1), i = y * n + x;
                              if (x == 0 || x == n - 1 || y == 0 || y == n - 1) {
                                out[i] = 0;
                                return;
                              }
                              const int across = in[i - n + 1] + 2 * in[i + 1] + in[i + n + 1] - in[i - n - 1] -
                                                 2 * in[i - 1] - in[i + n - 1];
                              const int down = in[i + n - 1] + 2 * in[i + n] + in[i + n + 1] - in[i - n - 1] -
                                               2 * in[i - n] - in[i - n + 1];
                              const float size = sycl::sqrt(float(across * across + down * down));
                              out[i] = size > 255 ? 255 : std::uint8_t(size);
                            });
}

inline void submit(sycl_device &device, const bilateral &p) {
  device.queue.parallel_for(sycl::nd_range<2>({p.side, p.side}, {image_block, image_block}),
                            [in = p.in, out = p.out, n = int(p.side)](sycl::nd_item<2> item) {
                              const int y = item.get_global_id(0), x = item.get_global_id(1);
                              const float middle = in[y * n + x];
                              float sum = 0, weights = 0;
                              for (int dy = -bilateral_radius; dy <= bilateral_radius; dy++)
                                for (int dx = -bilateral_radius; dx <= bilateral_radius; dx++) {
                                  const int row = sycl::clamp(y + dy, 0, n - 1), column = sycl::clamp(x + dx, 0, n - 1);
                                  const float other = in[row * n + column], difference = other - middle;
                                  const float weight = sycl::exp(-(dx * dx + dy * dy) * by_distance -
                                                                 difference * difference * by_value);
                                  sum += weight * other;
                                  weights += weight;
                                }
                              out[y * n + x] = sum / weights;
                            });
}

} // namespace gpu::patterns

#endif
