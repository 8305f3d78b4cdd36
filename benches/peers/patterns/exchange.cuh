// The peer of cuda/patterns/exchange.hpp.
#ifndef BENCHES_PEERS_PATTERNS_EXCHANGE_CUH
#define BENCHES_PEERS_PATTERNS_EXCHANGE_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/exchange.hpp"

namespace gpu::patterns {

static __global__ void exchange_kernel(const std::uint32_t *in, std::uint32_t *out) {
  __shared__ std::uint32_t slots[exchange::padded];
  const int l = threadIdx.x, first = blockIdx.x * exchange::tile + l * values_per_item;
  std::uint32_t value[values_per_item];
  for (int k = 0; k < values_per_item; k++)
    value[k] = in[first + k];
  for (int round = 0; round < exchange_rounds; round++) {
    for (int k = 0; k < values_per_item; k++)
      slots[padded_slot(l * values_per_item + k)] = stirred(value[k], round);
    __syncthreads();
    for (int k = 0; k < values_per_item; k++)
      value[k] = slots[padded_slot(k * int(group_size) + l)] + l;
    __syncthreads();
    for (int k = 0; k < values_per_item; k++)
      slots[padded_slot(k * int(group_size) + l)] = stirred(value[k], round);
    __syncthreads();
    for (int k = 0; k < values_per_item; k++)
      value[k] = slots[padded_slot(l * values_per_item + k)] + l;
    __syncthreads();
  }
  for (int k = 0; k < values_per_item; k++)
    out[first + k] = value[k];
}

inline void submit(cuda_device &, const exchange &p) {
  gpu::launch(exchange_kernel, groups(p.count, p.tile), group_size, p.in, p.out);
}

static __global__ void bitonic_kernel(const std::uint32_t *in, std::uint32_t *out) {
  __shared__ std::uint32_t keys[bitonic::keys];
  const unsigned l = threadIdx.x, first = blockIdx.x * bitonic::keys;
  keys[l] = in[first + l];
  keys[l + bitonic::items] = in[first + l + bitonic::items];
  for (unsigned size = 2; size <= bitonic::keys; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned a = 2 * l - (l & (stride - 1)), b = a + stride;
      const bool up = (a & size) == 0;
      const std::uint32_t low = keys[a], high = keys[b];
      if ((low > high) == up) {
        keys[a] = high;
        keys[b] = low;
      }
    }
  __syncthreads();
  out[first + l] = keys[l];
  out[first + l + bitonic::items] = keys[l + bitonic::items];
}

inline void submit(cuda_device &, const bitonic &p) {
  gpu::launch(bitonic_kernel, groups(p.count, p.keys), p.items, p.in, p.out);
}

} // namespace gpu::patterns

#endif
