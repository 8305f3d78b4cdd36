// A separable filter in SYCL, beside peers/patterns/convolution.cuh.
#ifndef BENCHES_CUDA_PATTERNS_CONVOLUTION_HPP
#define BENCHES_CUDA_PATTERNS_CONVOLUTION_HPP

#include "gpu/patterns/convolution.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

inline void submit(sycl_device &device, const convolution<along::rows> &p) {
  constexpr int width = convolution<along::rows>::block_x, height = convolution<along::rows>::block_y;
  constexpr int wide = (filter_steps + 2) * width;
  device.queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<float, 2> tile({height, wide}, group);
    group.parallel_for(sycl::nd_range<2>({p.side, p.side / filter_steps}, {height, width}),
                       [=, c = p.coefficients, in = p.in, out = p.out, n = int(p.side)](sycl::nd_item<2> item) {
                         const int x = item.get_local_id(1), y = item.get_local_id(0);
                         const int first = item.get_group(1) * filter_steps * width - width + x,
                                   row = item.get_global_id(0);
                         const float *from = in + row * n + first;
#pragma unroll
                         for (int step = 0; step < filter_steps + 2; step++) {
                           const int column = first + step * width;
                           tile[y][step * width + x] = column >= 0 && column < n ? from[step * width] : 0;
                         }
                         sycl::group_barrier(item.get_group());
#pragma unroll
                         for (int step = 1; step <= filter_steps; step++) {
                           float sum = 0;
#pragma unroll
                           for (int k = -filter_radius; k <= filter_radius; k++)
                             sum += c[filter_radius - k] * tile[y][step * width + x + k];
                           out[row * n + first + step * width] = sum;
                         }
                       });
  });
}

inline void submit(sycl_device &device, const convolution<along::columns> &p) {
  constexpr int width = convolution<along::columns>::block_x, height = convolution<along::columns>::block_y;
  constexpr int high = (filter_steps + 2) * height;
  device.queue.submit([&](sycl::handler &group) {
    // One word more than a column, to avoid bank conflicts.
    sycl::local_accessor<float, 2> tile({width, high + 1}, group);
    group.parallel_for(sycl::nd_range<2>({p.side / filter_steps, p.side}, {height, width}),
                       [=, c = p.coefficients, in = p.in, out = p.out, n = int(p.side)](sycl::nd_item<2> item) {
                         const int x = item.get_local_id(1), y = item.get_local_id(0);
                         const int first = item.get_group(0) * filter_steps * height - height + y,
                                   column = item.get_global_id(1);
                         const float *from = in + first * n + column;
#pragma unroll
                         for (int step = 0; step < filter_steps + 2; step++) {
                           const int row = first + step * height;
                           tile[x][step * height + y] = row >= 0 && row < n ? from[step * height * n] : 0;
                         }
                         sycl::group_barrier(item.get_group());
#pragma unroll
                         for (int step = 1; step <= filter_steps; step++) {
                           float sum = 0;
#pragma unroll
                           for (int k = -filter_radius; k <= filter_radius; k++)
                             sum += c[filter_radius - k] * tile[x][step * height + y + k];
                           out[(first + step * height) * n + column] = sum;
                         }
                       });
  });
}

} // namespace gpu::patterns

#endif
