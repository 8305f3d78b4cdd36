// Exchanges within a group in SYCL, beside peers/patterns/exchange.cuh.
#ifndef BENCHES_CUDA_PATTERNS_EXCHANGE_HPP
#define BENCHES_CUDA_PATTERNS_EXCHANGE_HPP

#include "gpu/patterns/exchange.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

inline void submit(sycl_device &device, const exchange &p) {
  device.queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<std::uint32_t, 1> slots(p.padded, group);
    group.parallel_for(
        sycl::nd_range<1>(p.count / values_per_item, group_size), [=, in = p.in, out = p.out](sycl::nd_item<1> item) {
          const int l = item.get_local_id(0), first = int(item.get_group(0)) * exchange::tile + l * values_per_item;
          std::uint32_t value[values_per_item];
          for (int k = 0; k < values_per_item; k++)
            value[k] = in[first + k];
          for (int round = 0; round < exchange_rounds; round++) {
            for (int k = 0; k < values_per_item; k++)
              slots[padded_slot(l * values_per_item + k)] = stirred(value[k], round);
            sycl::group_barrier(item.get_group());
            for (int k = 0; k < values_per_item; k++)
              value[k] = slots[padded_slot(k * int(group_size) + l)] + l;
            sycl::group_barrier(item.get_group());
            for (int k = 0; k < values_per_item; k++)
              slots[padded_slot(k * int(group_size) + l)] = stirred(value[k], round);
            sycl::group_barrier(item.get_group());
            for (int k = 0; k < values_per_item; k++)
              value[k] = slots[padded_slot(l * values_per_item + k)] + l;
            sycl::group_barrier(item.get_group());
          }
          for (int k = 0; k < values_per_item; k++)
            out[first + k] = value[k];
        });
  });
}

inline void submit(sycl_device &device, const bitonic &p) {
  device.queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<std::uint32_t, 1> keys(p.keys, group);
    group.parallel_for(sycl::nd_range<1>(p.count / 2, p.items), [=, in = p.in, out = p.out](sycl::nd_item<1> item) {
      const unsigned l = item.get_local_id(0), first = unsigned(item.get_group(0)) * bitonic::keys;
      keys[l] = in[first + l];
      keys[l + bitonic::items] = in[first + l + bitonic::items];
      for (unsigned size = 2; size <= bitonic::keys; size *= 2)
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
          sycl::group_barrier(item.get_group());
          const unsigned a = 2 * l - (l & (stride - 1)), b = a + stride;
          const bool up = (a & size) == 0;
          const std::uint32_t low = keys[a], high = keys[b];
          if ((low > high) == up) {
            keys[a] = high;
            keys[b] = low;
          }
        }
      sycl::group_barrier(item.get_group());
      out[first + l] = keys[l];
      out[first + l + bitonic::items] = keys[l + bitonic::items];
    });
  });
}

} // namespace gpu::patterns

#endif
