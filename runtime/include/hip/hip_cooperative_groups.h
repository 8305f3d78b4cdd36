// Cooperative groups: blocks, and tiles of up to 32 work-items.
#ifndef HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_HIP_COOPERATIVE_GROUPS_H

#include "hip_runtime.h"

#ifdef __HIP__
namespace cooperative_groups {

class thread_block {
public:
  static SINTER_HIP_DEVICE SINTER_CONVERGENT void sync() { __syncthreads(); }
  static SINTER_HIP_DEVICE unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static SINTER_HIP_DEVICE unsigned num_threads() { return size(); }
  static SINTER_HIP_DEVICE unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static SINTER_HIP_DEVICE dim3 group_index() { return blockIdx; }
  static SINTER_HIP_DEVICE dim3 thread_index() { return threadIdx; }
  static SINTER_HIP_DEVICE dim3 group_dim() { return blockDim; }
  static SINTER_HIP_DEVICE dim3 dim_threads() { return blockDim; }
};
SINTER_HIP_DEVICE thread_block this_thread_block() { return thread_block(); }

// A part of a warp.
template <unsigned Size, class Parent = void> class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4, 8, 16 or 32 work-items");

public:
  SINTER_HIP_DEVICE thread_block_tile() {}
  template <class Other> SINTER_HIP_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &) {}
  static SINTER_HIP_DEVICE SINTER_CONVERGENT void sync() { __syncwarp(); }
  static constexpr __host__ __device__ unsigned size() { return Size; }
  static constexpr __host__ __device__ unsigned num_threads() { return Size; }
  static SINTER_HIP_DEVICE unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static SINTER_HIP_DEVICE unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  static SINTER_HIP_DEVICE unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  template <class Type> SINTER_HIP_DEVICE Type shfl(SINTER_HIP_MAYBE_UNDEFINED Type x, int rank) const {
    return __shfl(x, rank, Size);
  }
  template <class Type> SINTER_HIP_DEVICE Type shfl_up(SINTER_HIP_MAYBE_UNDEFINED Type x, unsigned delta) const {
    return __shfl_up(x, delta, Size);
  }
  template <class Type> SINTER_HIP_DEVICE Type shfl_down(SINTER_HIP_MAYBE_UNDEFINED Type x, unsigned delta) const {
    return __shfl_down(x, delta, Size);
  }
  template <class Type> SINTER_HIP_DEVICE Type shfl_xor(SINTER_HIP_MAYBE_UNDEFINED Type x, int mask) const {
    return __shfl_xor(x, mask, Size);
  }
  SINTER_HIP_DEVICE unsigned ballot(int predicate) const {
    const unsigned first = sinter_hip_lane() / Size * Size;
    return static_cast<unsigned>(__ballot(predicate)) >> first & (0xffffffffu >> (32 - Size));
  }
  SINTER_HIP_DEVICE int any(int predicate) const { return ballot(predicate) != 0; }
  SINTER_HIP_DEVICE int all(int predicate) const { return ballot(predicate == 0) == 0; }
};
template <unsigned Size, class Parent>
SINTER_HIP_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}

template <class Group> SINTER_HIP_DEVICE SINTER_CONVERGENT void sync(const Group &group) { group.sync(); }

} // namespace cooperative_groups
#endif

#endif
