// Matrices in SYCL, beside peers/patterns/matrices.cuh.
#ifndef BENCHES_CUDA_PATTERNS_MATRICES_HPP
#define BENCHES_CUDA_PATTERNS_MATRICES_HPP

#include "gpu/patterns/matrices.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

inline void submit(sycl_device &device, const elimination &p) {
  for (int k = 0; k < elimination_steps; k++) {
    device.queue.parallel_for(sycl::nd_range<1>(p.side, group_size / 2),
                              [k, a = p.a, factors = p.factors, n = int(p.side)](sycl::nd_item<1> item) {
                                const int row = item.get_global_id(0);
                                if (row > k)
                                  factors[row] = a[row * n + k] / a[k * n + k];
                              });
    device.queue.parallel_for(sycl::nd_range<2>({p.side, p.side}, {elimination_block, elimination_block}),
                              [k, a = p.a, factors = p.factors, n = int(p.side)](sycl::nd_item<2> item) {
                                const int row = item.get_global_id(0), column = item.get_global_id(1);
                                if (row > k && column >= k)
                                  a[row * n + column] -= factors[row] * a[k * n + column];
                              });
  }
}

template <class T> void submit(sycl_device &device, const sparse<T, rows_for::items> &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.rows, group_size), [first = p.first, column = p.column, value = p.value,
                                                                    x = p.x, y = p.y](sycl::nd_item<1> item) {
    const int row = item.get_global_id(0);
    T sum = 0;
    for (int k = first[row]; k < first[row + 1]; k++)
      sum += value[k] * x[column[k]];
    y[row] = sum;
  });
}

// One sub-group of the device's size per row.
template <class T> void submit(sycl_device &device, const sparse<T, rows_for::sub_groups> &p) {
  const std::size_t lanes = device.queue.get_device().get_info<sycl::info::device::sub_group_sizes>().front();
  device.queue.parallel_for(
      sycl::nd_range<1>(p.rows * lanes, group_size),
      [first = p.first, column = p.column, value = p.value, x = p.x, y = p.y](sycl::nd_item<1> item) {
        const sycl::sub_group group = item.get_sub_group();
        const int lanes = group.get_max_local_range()[0], lane = group.get_local_linear_id();
        const int row = int(item.get_global_id(0)) / lanes;
        T sum = 0;
        for (int k = first[row] + lane; k < first[row + 1]; k += lanes)
          sum += value[k] * x[column[k]];
        sum = sycl::reduce_over_group(group, sum, sycl::plus<T>());
        if (lane == 0)
          y[row] = sum;
      });
}

} // namespace gpu::patterns

#endif
