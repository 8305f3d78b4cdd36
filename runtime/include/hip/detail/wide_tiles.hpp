// Tiles of several warps, which exchange values through memory of the block.
//
// *Invariant:* all tiles of a block come to a barrier of one: it is one of the block.
#ifndef HIP_DETAIL_WIDE_TILES_HPP
#define HIP_DETAIL_WIDE_TILES_HPP

#include "groups.hpp"

namespace cooperative_groups {

// 32 bytes for each warp.
template <unsigned LargestBlock = 1024> struct __attribute__((aligned(16))) block_tile_memory {
  unsigned char bytes[LargestBlock < 32 ? 32 : LargestBlock];
};

class sinter_hip_block : public thread_block {
public:
  SINTER_HIP_DEVICE explicit sinter_hip_block(unsigned char *memory) : memory(memory) {}
  unsigned char *memory;
};
template <unsigned LargestBlock>
SINTER_HIP_DEVICE sinter_hip_block this_thread_block(block_tile_memory<LargestBlock> &memory) {
  return sinter_hip_block(memory.bytes);
}

template <unsigned Size> class sinter_hip_wide_tile {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "tiles of several warps have 64 to 1024 work-items");

public:
  SINTER_HIP_DEVICE explicit sinter_hip_wide_tile(unsigned char *memory) : memory(memory) {}
  static SINTER_HIP_DEVICE SINTER_CONVERGENT void sync() { __syncthreads(); }
  static constexpr __host__ __device__ unsigned size() { return Size; }
  static constexpr __host__ __device__ unsigned num_threads() { return Size; }
  static SINTER_HIP_DEVICE unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static SINTER_HIP_DEVICE unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  static SINTER_HIP_DEVICE unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  unsigned char *memory;
};
template <unsigned Size, typename std::enable_if<(Size > 32), int>::type = 0>
SINTER_HIP_DEVICE sinter_hip_wide_tile<Size> tiled_partition(const sinter_hip_block &block) {
  return sinter_hip_wide_tile<Size>(block.memory);
}

} // namespace cooperative_groups

#endif
