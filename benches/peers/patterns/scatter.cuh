// The peer of cuda/patterns/scatter.hpp.
#ifndef BENCHES_PEERS_PATTERNS_SCATTER_CUH
#define BENCHES_PEERS_PATTERNS_SCATTER_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/scatter.hpp"

namespace gpu::patterns {

inline __device__ void add(float &to, float value) { atomicAdd(&to, value); }
// Two's complement: signed and unsigned sums have the same bits.
inline __device__ void add(std::int64_t &to, std::int64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long *>(&to), static_cast<unsigned long long>(value));
}

template <class T, int Width> __global__ void scatter_kernel(const int *index, const T *in, T *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, place = index[i];
  for (int k = 0; k < Width; k++)
    add(out[place * Width + k], in[i * Width + k]);
}

template <class T, int Width> void submit(cuda_device &, const scatter<T, Width> &p) {
  gpu::launch(scatter_kernel<T, Width>, groups(p.rows, group_size), group_size, p.index, p.in, p.out);
}

static __global__ void scatter_by_exchange_kernel(const int *index, const double *in, double *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = in[i];
  auto *to = reinterpret_cast<unsigned long long *>(out + index[i]);
  unsigned long long old = *to, assumed;
  do {
    assumed = old;
    old = atomicCAS(to, assumed, __double_as_longlong(x + __longlong_as_double(assumed)));
  } while (assumed != old);
}

inline void submit(cuda_device &, const scatter_by_exchange &p) {
  gpu::launch(scatter_by_exchange_kernel, groups(p.rows, group_size), group_size, p.index, p.in, p.out);
}

} // namespace gpu::patterns

#endif
