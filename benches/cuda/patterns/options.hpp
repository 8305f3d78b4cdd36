// European options in SYCL, beside peers/patterns/options.cuh.
#ifndef BENCHES_CUDA_PATTERNS_OPTIONS_HPP
#define BENCHES_CUDA_PATTERNS_OPTIONS_HPP

#include "gpu/patterns/options.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

inline float normal_by_erf(float d) { return 0.5f * (1.0f + sycl::erf(d / sycl::sqrt(2.0f))); }

inline void submit(sycl_device &device, const options_with_erf &p) {
  device.queue.parallel_for(sycl::nd_range<1>(p.count, group_size), [in = p.in, call = p.call,
                                                                     put = p.put](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    const contract c = in[i];
    const float spread = c.volatility * sycl::sqrt(c.years);
    const float d1 = (sycl::log(c.price / c.strike) + (c.rate + 0.5f * c.volatility * c.volatility) * c.years) / spread;
    const float d2 = d1 - spread, worth = c.strike * sycl::exp(-c.rate * c.years);
    call[i] = c.price * normal_by_erf(d1) - worth * normal_by_erf(d2);
    put[i] = worth * normal_by_erf(-d2) - c.price * normal_by_erf(-d1);
  });
}

} // namespace gpu::patterns

#endif
