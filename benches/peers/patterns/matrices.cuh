// The peer of cuda/patterns/matrices.hpp.
#ifndef BENCHES_PEERS_PATTERNS_MATRICES_CUH
#define BENCHES_PEERS_PATTERNS_MATRICES_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/matrices.hpp"
#include "warps.cuh"

namespace gpu::patterns {

static __global__ void elimination_factors(int k, const float *a, float *factors, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row > k)
    factors[row] = a[row * n + k] / a[k * n + k];
}

static __global__ void elimination_update(int k, float *a, const float *factors, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row > k && column >= k)
    a[row * n + column] -= factors[row] * a[k * n + column];
}

inline void submit(cuda_device &, const elimination &p) {
  const dim3 blocks(groups(p.side, elimination_block), groups(p.side, elimination_block));
  for (int k = 0; k < elimination_steps; k++) {
    gpu::launch(elimination_factors, groups(p.side, group_size / 2), group_size / 2, k, p.a, p.factors, p.side);
    gpu::launch(elimination_update, blocks, dim3(elimination_block, elimination_block), k, p.a, p.factors, p.side);
  }
}

template <class T>
__global__ void sparse_by_threads(const int *first, const int *column, const T *value, const T *x, T *y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
  for (int k = first[row]; k < first[row + 1]; k++)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

template <class T> void submit(cuda_device &, const sparse<T, rows_for::items> &p) {
  gpu::launch(sparse_by_threads<T>, groups(p.rows, group_size), group_size, p.first, p.column, p.value, p.x, p.y);
}

template <class T>
__global__ void sparse_by_warps(const int *first, const int *column, const T *value, const T *x, T *y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  T sum = 0;
  for (int k = first[row] + lane; k < first[row + 1]; k += 32)
    sum += value[k] * x[column[k]];
  sum = warp_sum(sum);
  if (lane == 0)
    y[row] = sum;
}

template <class T> void submit(cuda_device &, const sparse<T, rows_for::sub_groups> &p) {
  gpu::launch(sparse_by_warps<T>, groups(p.rows * 32, group_size), group_size, p.first, p.column, p.value, p.x, p.y);
}

} // namespace gpu::patterns

#endif
