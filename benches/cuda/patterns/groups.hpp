// Work of whole groups in SYCL, beside peers/patterns/groups.cuh.
#ifndef BENCHES_CUDA_PATTERNS_GROUPS_HPP
#define BENCHES_CUDA_PATTERNS_GROUPS_HPP

#include "gpu/patterns/groups.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

inline void submit(sycl_device &device, const fourier &p) {
  device.queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<waves, 1> x(transform_size, group);
    group.parallel_for(sycl::nd_range<1>(p.count / 4, group_size), [=, in = p.in, out = p.out](sycl::nd_item<1> item) {
      const int l = item.get_local_id(0), first = int(item.get_group(0)) * transform_size;
      for (int i = l; i < transform_size; i += int(group_size))
        x[reversed(i)] = in[first + i];
      for (int half = 1; half < transform_size; half *= 2) {
        sycl::group_barrier(item.get_group());
        for (int i = l; i < transform_size / 2; i += int(group_size)) {
          const int k = i & (half - 1), low = 2 * i - k, high = low + half;
          const float angle = -float(k) / float(half), c = sycl::cospi(angle), s = sycl::sinpi(angle);
          const waves a = x[low], b = x[high];
          const waves turned = {b.re * c - b.im * s, b.re * s + b.im * c};
          x[low] = {a.re + turned.re, a.im + turned.im};
          x[high] = {a.re - turned.re, a.im - turned.im};
        }
      }
      sycl::group_barrier(item.get_group());
      for (int i = l; i < transform_size; i += int(group_size))
        out[first + i] = x[i];
    });
  });
}

inline void submit(sycl_device &device, const prefix &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.count, group_size), [in = p.in, out = p.out](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    out[i] = sycl::inclusive_scan_over_group(item.get_group(), in[i], sycl::plus<std::uint32_t>());
  });
}

inline void submit(sycl_device &device, const darts &p) {
  device.queue.memset(p.hits, 0, sizeof *p.hits);
  device.queue.parallel_for(sycl::nd_range<1>(p.items, group_size), [hits = p.hits](sycl::nd_item<1> item) {
    const unsigned i = item.get_global_id(0);
    unsigned mine = 0;
    for (std::uint32_t k = 0; k < draws_per_item; k++)
      mine += in_circle(philox(k, i));
    const unsigned sum = sycl::reduce_over_group(item.get_group(), mine, sycl::plus<unsigned>());
    if (item.get_local_id(0) == 0)
      sycl::atomic_ref<unsigned long long, sycl::memory_order::relaxed, sycl::memory_scope::device>(*hits) += sum;
  });
}

} // namespace gpu::patterns

#endif
