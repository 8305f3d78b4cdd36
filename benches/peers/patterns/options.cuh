// The peer of cuda/patterns/options.hpp.
#ifndef BENCHES_PEERS_PATTERNS_OPTIONS_CUH
#define BENCHES_PEERS_PATTERNS_OPTIONS_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/options.hpp"

namespace gpu::patterns {

inline __device__ float normal_by_erf(float d) { return 0.5f * (1.0f + erff(d / sqrtf(2.0f))); }

static __global__ void options_kernel(const contract *in, float *call, float *put) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  const contract c = in[i];
  const float spread = c.volatility * sqrtf(c.years);
  const float d1 = (logf(c.price / c.strike) + (c.rate + 0.5f * c.volatility * c.volatility) * c.years) / spread;
  const float d2 = d1 - spread, worth = c.strike * expf(-c.rate * c.years);
  call[i] = c.price * normal_by_erf(d1) - worth * normal_by_erf(d2);
  put[i] = worth * normal_by_erf(-d2) - c.price * normal_by_erf(-d1);
}

inline void submit(cuda_device &, const options_with_erf &p) {
  gpu::launch(options_kernel, groups(p.count, group_size), group_size, p.in, p.call, p.put);
}

} // namespace gpu::patterns

#endif
