// Cooperative groups: blocks, tiles of up to 32 work-items, the work-items that run a branch.
//
// *Invariant:* a group smaller than a block is a part of one warp, named by a mask of lanes.
#ifndef HIP_DETAIL_GROUPS_HPP
#define HIP_DETAIL_GROUPS_HPP

#include "warp.hpp"

#include <type_traits>

// A value of any type, by words, from a lane of the warp.
template <class Type> SINTER_HIP_DEVICE Type sinter_hip_read_value(unsigned mask, const Type &x, int lane) {
  static_assert(std::is_trivially_copyable<Type>::value && sizeof(Type) <= 32,
                "work-items exchange values of up to 32 bytes that are copied as bytes");
  constexpr unsigned words = (sizeof(Type) + 3) / 4;
  int from[words] = {}, to[words];
  __builtin_memcpy(from, &x, sizeof x);
  for (unsigned i = 0; i < words; ++i)
    to[i] = sinter_hip_read(mask, from[i], lane);
  Type result = x;
  __builtin_memcpy(&result, to, sizeof result);
  return result;
}

// The place of the bit that has `rank` others below it.
SINTER_HIP_DEVICE int sinter_hip_lane_of_rank(unsigned mask, unsigned rank) {
  if (mask == sinter_hip_all)
    return static_cast<int>(rank);
  for (unsigned i = 0; i < rank; ++i)
    mask &= mask - 1;
  return mask == 0 ? 0 : __builtin_ctz(mask);
}
// The bits of the mask side by side.
SINTER_HIP_DEVICE unsigned sinter_hip_packed(unsigned bits, unsigned mask) {
  unsigned result = 0;
  for (unsigned rank = 0; mask != 0; ++rank, mask &= mask - 1)
    result |= (bits >> __builtin_ctz(mask) & 1u) << rank;
  return result;
}

namespace cooperative_groups {

// Any group, where its kind is not known when the program is compiled.
class thread_group {
public:
  SINTER_HIP_DEVICE SINTER_CONVERGENT void sync() const {
    if (is_block)
      __syncthreads();
    else
      __syncwarp(lanes);
  }
  SINTER_HIP_DEVICE unsigned size() const {
    return is_block ? blockDim.x * blockDim.y * blockDim.z : static_cast<unsigned>(__builtin_popcount(lanes));
  }
  SINTER_HIP_DEVICE unsigned num_threads() const { return size(); }
  SINTER_HIP_DEVICE unsigned thread_rank() const {
    return is_block ? block_rank() : static_cast<unsigned>(__builtin_popcount(lanes & sinter_hip_before()));
  }
  SINTER_HIP_DEVICE bool is_valid() const { return true; }
  // Not of CUDA: the lanes of the group's work-items, and 0 for a block.
  SINTER_HIP_DEVICE unsigned sinter_lanes() const { return lanes; }

protected:
  SINTER_HIP_DEVICE thread_group() : is_block(true), lanes(0) {}
  SINTER_HIP_DEVICE explicit thread_group(unsigned lanes) : is_block(false), lanes(lanes) {}
  static SINTER_HIP_DEVICE unsigned block_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }

  bool is_block;
  unsigned lanes;
};

class thread_block : public thread_group {
public:
  static SINTER_HIP_DEVICE SINTER_CONVERGENT void sync() { __syncthreads(); }
  static SINTER_HIP_DEVICE unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static SINTER_HIP_DEVICE unsigned num_threads() { return size(); }
  static SINTER_HIP_DEVICE unsigned thread_rank() { return block_rank(); }
  static SINTER_HIP_DEVICE dim3 group_index() { return blockIdx; }
  static SINTER_HIP_DEVICE dim3 thread_index() { return threadIdx; }
  static SINTER_HIP_DEVICE dim3 group_dim() { return blockDim; }
  static SINTER_HIP_DEVICE dim3 dim_threads() { return blockDim; }

protected:
  SINTER_HIP_DEVICE thread_block() {}
  friend SINTER_HIP_DEVICE thread_block this_thread_block();
};
SINTER_HIP_DEVICE thread_block this_thread_block() { return thread_block(); }

// The work-items of a mask, which are of one warp.
class coalesced_group : public thread_group {
public:
  SINTER_HIP_DEVICE explicit coalesced_group(unsigned lanes, unsigned rank = 0, unsigned count = 1)
      : thread_group(lanes), group_rank(rank), group_count(count) {}
  SINTER_HIP_DEVICE SINTER_CONVERGENT void sync() const { __syncwarp(lanes); }
  SINTER_HIP_DEVICE unsigned size() const { return static_cast<unsigned>(__builtin_popcount(lanes)); }
  SINTER_HIP_DEVICE unsigned num_threads() const { return size(); }
  SINTER_HIP_DEVICE unsigned thread_rank() const {
    return static_cast<unsigned>(__builtin_popcount(lanes & sinter_hip_before()));
  }
  SINTER_HIP_DEVICE unsigned meta_group_rank() const { return group_rank; }
  SINTER_HIP_DEVICE unsigned meta_group_size() const { return group_count; }
  // Out of range: the value of an unspecified work-item, or for `up` and `down` the own one.
  template <class Type> SINTER_HIP_DEVICE Type shfl(const Type &x, unsigned rank) const {
    return sinter_hip_read_value(lanes, x, sinter_hip_lane_of_rank(lanes, rank));
  }
  template <class Type> SINTER_HIP_DEVICE Type shfl_up(const Type &x, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(x, rank < delta ? rank : rank - delta);
  }
  template <class Type> SINTER_HIP_DEVICE Type shfl_down(const Type &x, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(x, rank + delta < size() ? rank + delta : rank);
  }
  SINTER_HIP_DEVICE sinter_hip_ballot_type ballot(int predicate) const {
    return sinter_hip_packed(sinter_hip_ballot(lanes, predicate != 0), lanes);
  }
  SINTER_HIP_DEVICE int any(int predicate) const { return __any_sync(lanes, predicate); }
  SINTER_HIP_DEVICE int all(int predicate) const { return __all_sync(lanes, predicate); }
  template <class Type> SINTER_HIP_DEVICE sinter_hip_ballot_type match_any(Type x) const {
    return sinter_hip_packed(static_cast<unsigned>(__match_any_sync(lanes, x)), lanes);
  }
  template <class Type> SINTER_HIP_DEVICE sinter_hip_ballot_type match_all(Type x, int &are_same) const {
    return sinter_hip_packed(static_cast<unsigned>(__match_all_sync(lanes, x, &are_same)), lanes);
  }

private:
  unsigned group_rank, group_count;
};
// The work-items of the warp that run this call together.
SINTER_HIP_DEVICE coalesced_group coalesced_threads() { return coalesced_group(sinter_hip_active()); }

// Aligned lanes of a warp.
template <unsigned Size, class Parent = void> class thread_block_tile : public thread_group {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "tiles have 1, 2, 4, 8, 16 or 32 work-items: a warp has 32 on every device");

public:
  SINTER_HIP_DEVICE thread_block_tile() : thread_group(sinter_hip_all >> (32 - Size) << first()) {}
  template <class Other>
  SINTER_HIP_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &) : thread_block_tile() {}
  SINTER_HIP_DEVICE SINTER_CONVERGENT void sync() const { __syncwarp(lanes); }
  static constexpr __host__ __device__ unsigned size() { return Size; }
  static constexpr __host__ __device__ unsigned num_threads() { return Size; }
  static SINTER_HIP_DEVICE unsigned thread_rank() { return sinter_hip_lane() % Size; }
  static SINTER_HIP_DEVICE unsigned meta_group_rank() { return block_rank() / Size; }
  static SINTER_HIP_DEVICE unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  template <class Type> SINTER_HIP_DEVICE Type shfl(const Type &x, int rank) const {
    return sinter_hip_read_value(lanes, x, sinter_hip_lane_at(rank, Size));
  }
  template <class Type> SINTER_HIP_DEVICE Type shfl_up(const Type &x, unsigned delta) const {
    return sinter_hip_read_value(lanes, x, sinter_hip_lane_below(delta, Size));
  }
  template <class Type> SINTER_HIP_DEVICE Type shfl_down(const Type &x, unsigned delta) const {
    return sinter_hip_read_value(lanes, x, sinter_hip_lane_above(delta, Size));
  }
  template <class Type> SINTER_HIP_DEVICE Type shfl_xor(const Type &x, unsigned mask) const {
    return sinter_hip_read_value(lanes, x, sinter_hip_lane_beside(static_cast<int>(mask), Size));
  }
  SINTER_HIP_DEVICE sinter_hip_ballot_type ballot(int predicate) const {
    return sinter_hip_ballot(lanes, predicate != 0) >> first();
  }
  SINTER_HIP_DEVICE int any(int predicate) const { return __any_sync(lanes, predicate); }
  SINTER_HIP_DEVICE int all(int predicate) const { return __all_sync(lanes, predicate); }
  template <class Type> SINTER_HIP_DEVICE sinter_hip_ballot_type match_any(Type x) const {
    return __match_any_sync(lanes, x) >> first();
  }
  template <class Type> SINTER_HIP_DEVICE sinter_hip_ballot_type match_all(Type x, int &are_same) const {
    return __match_all_sync(lanes, x, &are_same) >> first();
  }

private:
  static SINTER_HIP_DEVICE unsigned first() { return sinter_hip_lane() / Size * Size; }
};

template <unsigned Size, class Parent>
SINTER_HIP_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}
// Tiles of a size that is known when the program runs.
SINTER_HIP_DEVICE coalesced_group tiled_partition(const thread_group &parent, unsigned size) {
  const unsigned count = (parent.size() + size - 1) / size, rank = parent.thread_rank() / size;
  const unsigned lanes = parent.sinter_lanes();
  if (lanes == 0)
    return coalesced_group((sinter_hip_all >> (32 - size) << sinter_hip_lane() / size * size) & sinter_hip_active(),
                           rank, count);
  unsigned chosen = 0, place = 0;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1, ++place)
    chosen |= place / size == rank ? rest & (0u - rest) : 0u;
  return coalesced_group(chosen, rank, count);
}

// The work-items of a part of a warp with the same label, or with the same answer. The first of
// each are counted in the order of lanes.
template <class Group, class Type>
SINTER_HIP_DEVICE coalesced_group labeled_partition(const Group &parent, Type label) {
  const unsigned lanes = static_cast<unsigned>(__match_any_sync(parent.sinter_lanes(), label));
  const unsigned firsts = sinter_hip_ballot(parent.sinter_lanes(), (lanes & sinter_hip_before()) == 0);
  const unsigned before = firsts & ((lanes & (0u - lanes)) - 1);
  return coalesced_group(lanes, static_cast<unsigned>(__builtin_popcount(before)),
                         static_cast<unsigned>(__builtin_popcount(firsts)));
}
template <class Group> SINTER_HIP_DEVICE coalesced_group binary_partition(const Group &parent, bool predicate) {
  return labeled_partition(parent, static_cast<int>(predicate));
}

// All blocks of a launch, which do not run at the same time.
class grid_group {
public:
  static SINTER_HIP_DEVICE dim3 group_dim() { return gridDim; }
  static SINTER_HIP_DEVICE dim3 dim_blocks() { return gridDim; }
  static SINTER_HIP_DEVICE dim3 block_index() { return blockIdx; }
  static SINTER_HIP_DEVICE unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static SINTER_HIP_DEVICE unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
  }
  static SINTER_HIP_DEVICE unsigned long long size() { return num_blocks() * thread_block::size(); }
  static SINTER_HIP_DEVICE unsigned long long num_threads() { return size(); }
  static SINTER_HIP_DEVICE unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static SINTER_HIP_DEVICE bool is_valid() { return false; }
  __attribute__((unavailable("barriers of a grid (cooperative launches) are not supported: end the kernel where "
                             "the blocks wait, and launch another one"))) static __device__ void
  sync();
};
SINTER_HIP_DEVICE grid_group this_grid() { return grid_group(); }

template <class Group> SINTER_HIP_DEVICE SINTER_CONVERGENT void sync(const Group &group) { group.sync(); }
template <class Group> SINTER_HIP_DEVICE unsigned thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> SINTER_HIP_DEVICE unsigned group_size(const Group &group) { return group.size(); }

} // namespace cooperative_groups

#endif
