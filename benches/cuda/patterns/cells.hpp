// Membranes of cells in SYCL, beside peers/patterns/cells.cuh.
#ifndef BENCHES_CUDA_PATTERNS_CELLS_HPP
#define BENCHES_CUDA_PATTERNS_CELLS_HPP

#include "gpu/sycl.hpp"

#include "gpu/patterns/cells.hpp"

namespace gpu::patterns {

inline void submit(sycl_device &device, const nerve &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.count, group_size), [in = p.in, out = p.out](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    nerve_state<float> s = in[i];
    for (int k = 0; k < nerve_steps; k++)
      s = nerve_step(s, 10.0f);
    out[i] = s;
  });
}

inline void submit(sycl_device &device, const heart &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.count, group_size),
                            [in = p.in, out = p.out, n = p.count](sycl::nd_item<1> item) {
                              const std::size_t i = item.get_global_id(0);
                              heart_state<float> s;
                              for (int k = 0; k < heart_values; k++)
                                s.value[k] = in[k * n + i];
                              s = heart_step(s);
                              for (int k = 0; k < heart_values; k++)
                                out[k * n + i] = s.value[k];
                            });
}

inline void submit(sycl_device &device, const orders &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.count, group_size), [in = p.in, out = p.out](sycl::nd_item<1> item) {
    const int first = int(item.get_global_id(0)) * int(orders::width);
    float state[heart_values];
    for (int k = 0; k < heart_values; k++)
      state[k] = in[first + k];
    const float difference = fehlberg(state);
    for (int k = 0; k < heart_values; k++)
      out[first + k] = state[k];
    out[first + heart_values] = difference;
  });
}

} // namespace gpu::patterns

#endif
