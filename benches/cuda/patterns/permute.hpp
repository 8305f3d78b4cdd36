// Permutations in SYCL, beside peers/patterns/permute.cuh.
#ifndef BENCHES_CUDA_PATTERNS_PERMUTE_HPP
#define BENCHES_CUDA_PATTERNS_PERMUTE_HPP

#include "gpu/patterns/permute.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

template <int Group> void submit(sycl_device &device, const gather<Group> &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.count, Group),
                            [index = p.index, in = p.in, out = p.out](sycl::nd_item<1> item) {
                              const std::size_t i = item.get_global_id(0);
                              out[i] = in[index[i]];
                            });
}

inline void submit(sycl_device &device, const transposed &p) {
  const std::size_t items = (p.count + group_size - 1) / group_size * group_size;
  device.queue.parallel_for(sycl::nd_range<1>(items, group_size),
                            [order = p.order, in = p.in, out = p.out, n = int(p.count)](sycl::nd_item<1> item) {
                              const int i = item.get_global_id(0);
                              if (i < n)
                                out[i] = in[transposed::source(order, i)];
                            });
}

} // namespace gpu::patterns

#endif
