// Work-items of a group that go through a part of a range together.
//
// In: the group of a launch. Out: its memory, and an order among its work-items. A group of one
// work-item goes through its part alone instead, and uses none of this: its kernel knows the size
// of its groups, so that what the other way needs is not in its code.
#ifndef SINTER_STDPAR_GROUP_HPP
#define SINTER_STDPAR_GROUP_HPP

#include "launch.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace sinter::stdpar {

// Numbers of memory_order and memory_scope in the device interface (docs/abi.md).
inline constexpr int relaxed = 0, acquire = 1, release = 2, acquire_release = 3;
inline constexpr int whole_group = 2, whole_device = 3;
inline constexpr int generic_space = 4;

// Most bytes of a group's memory that a kernel may use: several groups run side by side.
inline constexpr std::size_t most_group_bytes = 46080;

inline std::size_t group_index() noexcept { return sycl::detail::group_id(0); }
inline std::size_t lane() noexcept { return sycl::detail::local_id(0); }
inline std::size_t width() noexcept { return sycl::detail::local_size(0); }
inline bool is_alone() noexcept { return width() == 1; }

// All that work-items wrote to the group's memory is seen by all of them afterwards.
[[clang::convergent]] inline void synchronize() noexcept {
  __acpp_sscp_work_group_barrier(whole_group, acquire_release);
}

// The group's memory, from a byte on.
template <class Type> inline Type *group_memory(std::size_t first = 0) noexcept {
  return reinterpret_cast<Type *>((char *)__acpp_sscp_get_dynamic_local_memory() + first);
}

// Atomic operations that the whole device sees.
inline unsigned add(unsigned *object, unsigned operand) noexcept {
  return __acpp_sscp_atomic_fetch_add_u32(generic_space, relaxed, whole_device, object, operand);
}
inline std::uint64_t read(std::uint64_t *object) noexcept {
  return static_cast<std::uint64_t>(
      __acpp_sscp_atomic_load_i64(generic_space, acquire, whole_device, reinterpret_cast<long long *>(object)));
}
// A value that may be an earlier one.
inline std::uint64_t glance(std::uint64_t *object) noexcept {
  return static_cast<std::uint64_t>(
      __acpp_sscp_atomic_load_i64(generic_space, relaxed, whole_device, reinterpret_cast<long long *>(object)));
}
inline void publish(std::uint64_t *object, std::uint64_t value) noexcept {
  __acpp_sscp_atomic_store_i64(generic_space, release, whole_device, reinterpret_cast<long long *>(object),
                               static_cast<long long>(value));
}

// Combines one value of each of the first `count` work-items, which lie in the group's memory from
// `values` on, into the first. The operands may change places.
template <class Type, class Operation>
inline void combine_all(Type *values, std::size_t count, const Operation &operation) {
  const std::size_t own = lane();
  for (std::size_t step = width() / 2; step != 0; step /= 2) {
    synchronize();
    if (own < step && own + step < count)
      values[own] = operation(values[own], values[own + step]);
  }
  synchronize();
}

// Replaces them by the combinations of each with all before it, in their order. `spare` is memory
// for as many values. Returns the one of both where the combinations are.
template <class Type, class Operation>
inline Type *combine_prefixes(Type *values, Type *spare, std::size_t count, const Operation &operation) {
  const std::size_t own = lane();
  for (std::size_t step = 1; step < count; step *= 2) {
    synchronize();
    if (own < count) {
      if (own < step)
        ::new (static_cast<void *>(spare + own)) Type(values[own]);
      else
        ::new (static_cast<void *>(spare + own)) Type(operation(values[own - step], values[own]));
    }
    Type *const other = values;
    values = spare, spare = other;
  }
  synchronize();
  return values;
}

// Several elements of a work-item: all are got before the first one is put. False if that many are
// not left.
template <std::size_t Several, class Get, class Put>
inline bool moves_several(std::size_t &index, std::size_t count, const Get &get, const Put &put) {
  const std::size_t step = width();
  if (index + (Several - 1) * step >= count)
    return false;
  std::decay_t<decltype(get(index))> taken[Several];
#pragma unroll
  for (std::size_t n = 0; n != Several; ++n)
    taken[n] = get(index + n * step);
#pragma unroll
  for (std::size_t n = 0; n != Several; ++n)
    put(index + n * step, taken[n]);
  index += Several * step;
  return true;
}
// Calls `put(index, get(index))` for `count` indices, neighbours for neighbours. A work-item waits
// for several loads of small values at a time: one that stores what it has loaded waits for each.
template <class Get, class Put> inline void move_together(std::size_t count, const Get &get, const Put &put) {
  using type = std::decay_t<decltype(get(count))>;
  std::size_t index = lane();
  if constexpr (std::is_trivial_v<type> && sizeof(type) <= 16) {
    while (stdpar::moves_several<8>(index, count, get, put))
      ;
    stdpar::moves_several<4>(index, count, get, put);
    stdpar::moves_several<2>(index, count, get, put);
  }
  for (; index < count; index += width())
    put(index, get(index));
}

// The size of groups in which each work-item has `bytes` bytes of the group's memory: that of the
// thread's device, or less. 1 if the elements are too large to be shared.
SINTER_STDPAR_ONCE std::uint32_t group_size_for(std::size_t bytes) noexcept {
  std::uint32_t size = stdpar::group_size();
  while (size > 1 && size * bytes > most_group_bytes)
    size /= 2;
  return size;
}

} // namespace sinter::stdpar

#endif
