// Sums and prefix sums over a warp and over a block by shuffles, as usual in CUDA programs.
#ifndef BENCHES_PEERS_PATTERNS_WARPS_CUH
#define BENCHES_PEERS_PATTERNS_WARPS_CUH

#include "gpu/cuda.cuh"

namespace gpu::patterns {

constexpr unsigned all_lanes = 0xffffffff;

template <class T> __device__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(all_lanes, value, distance);
  return value;
}

template <class T> __device__ T warp_prefix(T value, int lane) {
  for (int distance = 1; distance < 32; distance *= 2) {
    const T below = __shfl_up_sync(all_lanes, value, distance);
    value += lane >= distance ? below : T(0);
  }
  return value;
}

// The result is in thread 0.
template <class T> __device__ T block_sum(T value) {
  __shared__ T parts[32];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x, lane = thread % 32;
  value = warp_sum(value);
  if (lane == 0)
    parts[thread / 32] = value;
  __syncthreads();
  const int warps = blockDim.x * blockDim.y / 32;
  value = thread < warps ? parts[lane] : T(0);
  return thread < 32 ? warp_sum(value) : value;
}

// Inclusive prefix sum, in one-dimensional blocks.
template <class T> __device__ T block_prefix(T value) {
  __shared__ T parts[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_prefix(value, lane);
  if (lane == 31)
    parts[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const T part = lane < blockDim.x / 32 ? parts[lane] : T(0);
    parts[lane] = warp_prefix(part, lane);
  }
  __syncthreads();
  return warp > 0 ? value + parts[warp - 1] : value;
}

} // namespace gpu::patterns

#endif
