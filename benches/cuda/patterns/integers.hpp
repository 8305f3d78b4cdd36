// 64-bit arithmetic in SYCL, beside peers/patterns/integers.cuh.
#ifndef BENCHES_CUDA_PATTERNS_INTEGERS_HPP
#define BENCHES_CUDA_PATTERNS_INTEGERS_HPP

#include "gpu/sycl.hpp"

#include "gpu/patterns/integers.hpp"

namespace gpu::patterns {

template <hash_of Kind> void submit(sycl_device &device, const hashes<Kind> &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.records, group_size), [in = p.in, out = p.out](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    out[i] = hashes<Kind>::at(in, i);
  });
}

template <modular Kind> void submit(sycl_device &device, const powers<Kind> &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.count, group_size), [in = p.in, out = p.out](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    out[i] = powers<Kind>::at(in[i]);
  });
}

} // namespace gpu::patterns

#endif
