// The peer of cuda/patterns/cells.hpp.
#ifndef BENCHES_PEERS_PATTERNS_CELLS_CUH
#define BENCHES_PEERS_PATTERNS_CELLS_CUH

#include "gpu/cuda.cuh"

#include "gpu/patterns/cells.hpp"

namespace gpu::patterns {

static __global__ void nerve_kernel(const nerve_state<float> *in, nerve_state<float> *out) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  nerve_state<float> s = in[i];
  for (int k = 0; k < nerve_steps; k++)
    s = nerve_step(s, 10.0f);
  out[i] = s;
}

static __global__ void heart_kernel(const float *in, float *out, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  heart_state<float> s;
  for (int k = 0; k < heart_values; k++)
    s.value[k] = in[k * n + i];
  s = heart_step(s);
  for (int k = 0; k < heart_values; k++)
    out[k * n + i] = s.value[k];
}

static __global__ void orders_kernel(const float *in, float *out) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * int(orders::width);
  float state[heart_values];
  for (int k = 0; k < heart_values; k++)
    state[k] = in[first + k];
  const float difference = fehlberg(state);
  for (int k = 0; k < heart_values; k++)
    out[first + k] = state[k];
  out[first + heart_values] = difference;
}

inline void submit(cuda_device &, const nerve &p) {
  gpu::launch(nerve_kernel, groups(p.count, group_size), group_size, p.in, p.out);
}
inline void submit(cuda_device &, const heart &p) {
  gpu::launch(heart_kernel, groups(p.count, group_size), group_size, p.in, p.out, p.count);
}
inline void submit(cuda_device &, const orders &p) {
  gpu::launch(orders_kernel, groups(p.count, group_size), group_size, p.in, p.out);
}

} // namespace gpu::patterns

#endif
