// Scattered additions in SYCL, beside peers/patterns/scatter.cuh.
#ifndef BENCHES_CUDA_PATTERNS_SCATTER_HPP
#define BENCHES_CUDA_PATTERNS_SCATTER_HPP

#include "gpu/patterns/scatter.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

// Uses the generic address space, like most programs.
template <class T, int Width> void submit(sycl_device &device, const scatter<T, Width> &p) {
  device.queue.parallel_for(
      sycl::nd_range<1>(p.rows, group_size), [index = p.index, in = p.in, out = p.out](sycl::nd_item<1> item) {
        const int i = item.get_global_id(0), place = index[i];
        for (int k = 0; k < Width; k++)
          sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>(out[place * Width + k]) +=
              in[i * Width + k];
      });
}

inline void submit(sycl_device &device, const scatter_by_exchange &p) {
  device.queue.parallel_for(
      sycl::nd_range<1>(p.rows, group_size), [index = p.index, in = p.in, out = p.out](sycl::nd_item<1> item) {
        const int i = item.get_global_id(0);
        const sycl::atomic_ref<double, sycl::memory_order::relaxed, sycl::memory_scope::device> to(out[index[i]]);
        const double x = in[i];
        double old = to.load();
        while (!to.compare_exchange_strong(old, old + x))
          continue;
      });
}

} // namespace gpu::patterns

#endif
