// Tiles of several warps, which exchange values through memory of the block.
//
// *Invariant:* all tiles of a block come to a barrier or reduction of one: it is one of the block.
#ifndef HIP_DETAIL_WIDE_TILES_HPP
#define HIP_DETAIL_WIDE_TILES_HPP

#include "group_functions.hpp"

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

template <unsigned Size, class Type, class Operation>
SINTER_HIP_DEVICE SINTER_CONVERGENT Type reduce(const sinter_hip_wide_tile<Size> &tile, Type x, Operation operation) {
  constexpr unsigned width = 32, slot = 32;
  static_assert(sizeof(Type) <= slot, "a reduction over several warps takes values of up to 32 bytes");
  const unsigned warp = thread_block::thread_rank() / width, warps = (thread_block::size() + width - 1) / width;
  const unsigned first = warp / (Size / width) * (Size / width), last = first + Size / width;
  x = reduce(coalesced_threads(), x, operation);
  if (sinter_hip_lane() == 0)
    __builtin_memcpy(tile.memory + slot * warp, &x, sizeof x);
  __syncthreads();
  __builtin_memcpy(&x, tile.memory + slot * first, sizeof x);
  for (unsigned i = first + 1; i < last && i < warps; ++i) {
    Type next = x;
    __builtin_memcpy(&next, tile.memory + slot * i, sizeof next);
    x = operation(x, next);
  }
  __syncthreads();
  return x;
}

} // namespace cooperative_groups

#endif
