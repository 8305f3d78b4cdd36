// Group algorithms with memory of the program: reductions with any function object
// (sycl_ext_oneapi_user_defined_reductions), and sorting (sycl_ext_oneapi_group_sort).
//
// The scratch memory holds one value for each work-item, or for each element that is sorted. A
// sorted place is the number of elements before the own one, so equal elements keep their order.
#ifndef SYCL_SCRATCH_ALGORITHMS_HPP
#define SYCL_SCRATCH_ALGORITHMS_HPP

#include "../types/span.hpp"
#include "group_algorithms.hpp"

#include <functional>

#define SYCL_EXT_ONEAPI_USER_DEFINED_REDUCTIONS 1
#define SYCL_EXT_ONEAPI_GROUP_SORT 1

namespace sycl::ext::oneapi::experimental {

template <class Group, std::size_t Extent> class group_with_scratchpad {
public:
  group_with_scratchpad(Group group, sycl::span<std::byte, Extent> memory) noexcept
      : members(group), scratch(memory) {}
  Group get_group() const noexcept { return members; }
  sycl::span<std::byte, Extent> get_memory() const noexcept { return scratch; }

private:
  Group members;
  sycl::span<std::byte, Extent> scratch;
};
template <class Group, std::size_t Extent>
group_with_scratchpad(Group, sycl::span<std::byte, Extent>) -> group_with_scratchpad<Group, Extent>;

template <class Group, std::size_t Extent, class Type, class Operation>
Type reduce_over_group(const group_with_scratchpad<Group, Extent> &helper, Type x, Operation combine) {
  const Group group = helper.get_group();
  Type *const values = reinterpret_cast<Type *>(helper.get_memory().data());
  values[group.get_local_linear_id()] = x;
  group_barrier(group);
  Type sum = values[0];
  for (std::size_t i = 1; i < group.get_local_linear_range(); ++i)
    sum = combine(sum, values[i]);
  group_barrier(group);
  return sum;
}
template <class Group, std::size_t Extent, class Value, class Type, class Operation>
Type reduce_over_group(const group_with_scratchpad<Group, Extent> &helper, Value x, Type init, Operation combine) {
  return combine(init, reduce_over_group(helper, static_cast<Type>(x), combine));
}

// Each work-item combines a run of elements; the runs are combined in their order.
template <class Group, std::size_t Extent, class Type, class Operation>
Type joint_reduce(const group_with_scratchpad<Group, Extent> &helper, const Type *first, const Type *last,
                  Operation combine) {
  const Group group = helper.get_group();
  Type *const values = reinterpret_cast<Type *>(helper.get_memory().data());
  const std::size_t items = group.get_local_linear_range(), self = group.get_local_linear_id();
  const std::size_t count = static_cast<std::size_t>(last - first), run = (count + items - 1) / items;
  const std::size_t start = self * run, end = start + run < count ? start + run : count;
  if (start < count) {
    Type sum = first[start];
    for (std::size_t i = start + 1; i < end; ++i)
      sum = combine(sum, first[i]);
    values[self] = sum;
  }
  group_barrier(group);
  Type sum = values[0];
  for (std::size_t i = 1; i * run < count; ++i)
    sum = combine(sum, values[i]);
  group_barrier(group);
  return sum;
}
template <class Group, std::size_t Extent, class Element, class Type, class Operation>
Type joint_reduce(const group_with_scratchpad<Group, Extent> &helper, const Element *first, const Element *last,
                  Type init, Operation combine) {
  if (first == last)
    return init;
  return combine(init, static_cast<Type>(joint_reduce(helper, first, last, combine)));
}

} // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

// Writes the elements from..to in steps to their places in `sorted`.
template <class Type, class Compare>
void place_elements(const Type *values, Type *sorted, std::size_t count, std::size_t from, std::size_t step,
                    const Compare &less) {
  for (std::size_t i = from; i < count; i += step) {
    std::size_t place = 0;
    for (std::size_t other = 0; other < count; ++other)
      place += other < i ? !less(values[i], values[other]) : static_cast<std::size_t>(less(values[other], values[i]));
    sorted[place] = values[i];
  }
}

template <class Compare> class any_sorter {
public:
  template <std::size_t Extent>
  any_sorter(sycl::span<std::byte, Extent> memory, Compare comparison = {}) noexcept
      : scratch(memory.data()), compare(comparison) {}

protected:
  std::byte *scratch;
  Compare compare;
};

} // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

namespace default_sorters {

template <class Compare = std::less<>> class joint_sorter : public detail::any_sorter<Compare> {
public:
  using detail::any_sorter<Compare>::any_sorter;
  template <class Type> static constexpr std::size_t memory_required(memory_scope, std::size_t count) noexcept {
    return count * sizeof(Type) + alignof(Type);
  }
  template <class Group, class Type> void operator()(Group group, Type *first, Type *last) {
    const std::size_t items = group.get_local_linear_range(), self = group.get_local_linear_id();
    const std::size_t count = static_cast<std::size_t>(last - first);
    Type *const sorted = reinterpret_cast<Type *>(this->scratch);
    detail::place_elements(first, sorted, count, self, items, this->compare);
    group_barrier(group);
    for (std::size_t i = self; i < count; i += items)
      first[i] = sorted[i];
    group_barrier(group);
  }
};

// With one value of each work-item.
template <class Type, class Compare = std::less<>, std::size_t Count = 1>
class group_sorter : public detail::any_sorter<Compare> {
public:
  using detail::any_sorter<Compare>::any_sorter;
  static constexpr std::size_t memory_required(memory_scope, std::size_t items) noexcept {
    return 2 * items * Count * sizeof(Type) + alignof(Type);
  }
  template <class Group> Type operator()(Group group, Type value) {
    const std::size_t items = group.get_local_linear_range(), self = group.get_local_linear_id();
    Type *const values = reinterpret_cast<Type *>(this->scratch), *const sorted = values + items;
    values[self] = value;
    group_barrier(group);
    detail::place_elements(values, sorted, items, self, items, this->compare);
    group_barrier(group);
    const Type result = sorted[self];
    group_barrier(group);
    return result;
  }
};

} // namespace default_sorters

template <class Compare = std::less<>> class default_sorter : public default_sorters::joint_sorter<Compare> {
public:
  using default_sorters::joint_sorter<Compare>::joint_sorter;
  template <class Type> static constexpr std::size_t memory_required(memory_scope scope, std::size_t count) noexcept {
    return default_sorters::group_sorter<Type, Compare>::memory_required(scope, count);
  }
  template <class Group, class Type> Type operator()(Group group, Type value) {
    const sycl::span<std::byte> memory(this->scratch, std::size_t(0));
    return default_sorters::group_sorter<Type, Compare>(memory, this->compare)(group, value);
  }
  using default_sorters::joint_sorter<Compare>::operator();
};

template <class Group, class Type, class Sorter>
auto joint_sort(Group group, Type *first, Type *last, Sorter sorter) -> decltype(sorter(group, first, last)) {
  sorter(group, first, last);
}
template <class Group, std::size_t Extent, class Type, class Compare = std::less<>>
void joint_sort(group_with_scratchpad<Group, Extent> helper, Type *first, Type *last, Compare compare = {}) {
  default_sorters::joint_sorter<Compare>(helper.get_memory(), compare)(helper.get_group(), first, last);
}
template <class Group, class Type, class Sorter>
auto sort_over_group(Group group, Type value, Sorter sorter) -> decltype(sorter(group, value)) {
  return sorter(group, value);
}
template <class Group, std::size_t Extent, class Type, class Compare = std::less<>>
Type sort_over_group(group_with_scratchpad<Group, Extent> helper, Type value, Compare compare = {}) {
  return default_sorters::group_sorter<Type, Compare>(helper.get_memory(), compare)(helper.get_group(), value);
}

} // namespace sycl::ext::oneapi::experimental

#endif
