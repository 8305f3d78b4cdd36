// Cross sections by the windowed multipole method in SYCL, beside peers/patterns/multipole.cuh.
#ifndef BENCHES_CUDA_PATTERNS_MULTIPOLE_HPP
#define BENCHES_CUDA_PATTERNS_MULTIPOLE_HPP

#include "gpu/sycl.hpp"

#include "gpu/patterns/multipole.hpp"

namespace gpu::patterns {

inline void submit(sycl_device &device, const multipole &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.lookups, group_size),
                            [poles = p.poles, windows = p.windows, out = p.out](sycl::nd_item<1> item) {
                              const std::size_t i = item.get_global_id(0);
                              out[i] = sections(poles, windows, i);
                            });
}

} // namespace gpu::patterns

#endif
