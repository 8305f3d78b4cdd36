// Random updates of a table in SYCL, beside peers/patterns/gups.cuh.
#ifndef BENCHES_CUDA_PATTERNS_GUPS_HPP
#define BENCHES_CUDA_PATTERNS_GUPS_HPP

#include "gpu/patterns/gups.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

template <update Kind> void submit(sycl_device &device, const gups<Kind> &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.items, group_size), [starts = p.starts, table = p.table,
                                                                     mask = p.words - 1](sycl::nd_item<1> item) {
    std::uint64_t x = starts[item.get_global_id(0)];
    for (int k = 0; k < updates_per_item; k++) {
      x = shifted(x);
      if constexpr (Kind == update::plain)
        table[x & mask] ^= x;
      else
        sycl::atomic_ref<std::uint64_t, sycl::memory_order::relaxed, sycl::memory_scope::device,
                         sycl::access::address_space::global_space>(table[x & mask])
            .fetch_xor(x);
    }
  });
}

} // namespace gpu::patterns

#endif
