// Reductions and scans of cooperative groups.
//
// In CUDA they are in headers of their own, so that a program without these may have functions of
// the same names.
//
// *Invariant:* values are combined in the order of their ranks; all tiles of a block that are wider
// than a warp come to a reduction of one.
#ifndef HIP_DETAIL_GROUP_REDUCTIONS_HPP
#define HIP_DETAIL_GROUP_REDUCTIONS_HPP

#include "wide_tiles.hpp"

namespace cooperative_groups {

#define SINTER_HIP_FUNCTOR(name, result)                                                                             \
  template <class Type = void> struct name {                                                                         \
    SINTER_HIP_BOTH Type operator()(const Type &a, const Type &b) const { return result; }                           \
  };                                                                                                                 \
  template <> struct name<void> {                                                                                    \
    template <class Type> SINTER_HIP_BOTH Type operator()(const Type &a, const Type &b) const { return result; }     \
  };
SINTER_HIP_FUNCTOR(plus, static_cast<Type>(a + b))
SINTER_HIP_FUNCTOR(less, b < a ? b : a)
SINTER_HIP_FUNCTOR(greater, a < b ? b : a)
SINTER_HIP_FUNCTOR(bit_and, static_cast<Type>(a &b))
SINTER_HIP_FUNCTOR(bit_or, static_cast<Type>(a | b))
SINTER_HIP_FUNCTOR(bit_xor, static_cast<Type>(a ^ b))
#undef SINTER_HIP_FUNCTOR

// In steps that double: after each the item has combined that many values from its own on.
template <class Group, class Type, class Operation>
SINTER_HIP_DEVICE Type reduce(const Group &group, Type x, Operation operation) {
  const unsigned rank = group.thread_rank(), size = group.size();
  for (unsigned step = 1; step < size; step *= 2) {
    const Type next = group.shfl_down(x, step);
    x = rank + step < size ? operation(x, next) : x;
  }
  return group.shfl(x, 0);
}

template <class Group, class Type, class Operation = plus<Type>>
SINTER_HIP_DEVICE Type inclusive_scan(const Group &group, Type x, Operation operation = Operation()) {
  const unsigned rank = group.thread_rank(), size = group.size();
  for (unsigned step = 1; step < size; step *= 2) {
    const Type before = group.shfl_up(x, step);
    x = rank >= step ? operation(before, x) : x;
  }
  return x;
}
// The first item has 0.
template <class Group, class Type, class Operation = plus<Type>>
SINTER_HIP_DEVICE Type exclusive_scan(const Group &group, Type x, Operation operation = Operation()) {
  const Type before = group.shfl_up(inclusive_scan(group, x, operation), 1);
  return group.thread_rank() == 0 ? Type() : before;
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
