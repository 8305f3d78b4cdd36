// Two-dimensional grids in SYCL, beside peers/patterns/grids.cuh.
#ifndef BENCHES_CUDA_PATTERNS_GRIDS_HPP
#define BENCHES_CUDA_PATTERNS_GRIDS_HPP

#include "gpu/patterns/grids.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

inline sycl::nd_range<2> in_blocks(std::size_t rows, std::size_t columns) {
  return {{rows, columns}, {grid_block, grid_block}};
}

inline void submit(sycl_device &device, const five_points &p) {
  device.queue.parallel_for(in_blocks(p.side, p.side), [in = p.in, out = p.out, n = p.side](sycl::nd_item<2> item) {
    const std::size_t y = item.get_global_id(0), x = item.get_global_id(1), i = y * n + x;
    if (x > 0 && x + 1 < n && y > 0 && y + 1 < n)
      out[i] = 0.5 * in[i] + 0.125 * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    else
      out[i] = in[i];
  });
}

inline void submit(sycl_device &device, const jacobi &p) {
  device.queue.memset(p.change, 0, sizeof *p.change);
  device.queue.parallel_for(
      in_blocks(p.side, p.side), [in = p.in, out = p.out, change = p.change, n = int(p.side)](sycl::nd_item<2> item) {
        const int y = item.get_global_id(0), x = item.get_global_id(1), i = y * n + x;
        float next = in[i];
        if (x > 0 && x + 1 < n && y > 0 && y + 1 < n)
          next = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
        out[i] = next;
        const float difference = next - in[i];
        const float sum = sycl::reduce_over_group(item.get_group(), difference * difference, sycl::plus<float>());
        if (item.get_local_linear_id() == 0)
          sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device>(*change) += sum;
      });
}

} // namespace gpu::patterns

#endif
