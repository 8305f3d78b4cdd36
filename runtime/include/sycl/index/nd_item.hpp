// group and nd_item: the arguments of a kernel over an nd_range.
//
// An nd_item is empty: every query calls a builtin, so passing it costs nothing, also by reference
// into functions that are not inlined. A group knows its place and the sizes of groups, because
// programs keep groups in memory and compare and query them later; what no query reads is not in
// device code. The index of a work-item in its group is that of the work-item that asks.
#ifndef SYCL_ND_ITEM_HPP
#define SYCL_ND_ITEM_HPP

#include "../groups/async_copy.hpp"
#include "../groups/barrier.hpp"
#include "../runtime/info.hpp"
#include "item.hpp"
#include "../groups/sub_group.hpp"

namespace sycl {

// In root_group.hpp.
namespace ext::oneapi::experimental {
template <int Dimensions> class root_group;
} // namespace ext::oneapi::experimental

namespace detail {

// One query for all dimensions. Dimension 0 is the slowest, axis 0 the fastest. The query is a
// template argument, so that device code contains no indirect call.
template <class Index, std::size_t (*Query)(int)> inline Index gather() noexcept {
  if constexpr (Index::dimensions == 1) {
    return Index(Query(0));
  } else {
    Index result;
    for (int d = 0; d < Index::dimensions; ++d)
      result[d] = Query(Index::dimensions - 1 - d);
    return result;
  }
}

// Largest number of work-items of a group of a hierarchical kernel: private_memory has room for as
// many.
inline constexpr std::size_t largest_hierarchical_group = 1024;

} // namespace detail

template <int Dimensions = 1> class group : public detail::copies<group<Dimensions>> {
public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  group() = delete;

  id_type get_group_id() const noexcept { return place; }
  std::size_t get_group_id(int dimension) const noexcept { return place[dimension]; }
  std::size_t operator[](int dimension) const noexcept { return get_group_id(dimension); }
  // Names of SYCL 1.2.1.
  id_type get_id() const noexcept { return get_group_id(); }
  std::size_t get_id(int dimension) const noexcept { return get_group_id(dimension); }
  linear_id_type get_linear_id() const noexcept { return get_group_linear_id(); }
  range_type get_global_range() const noexcept { return get_group_range() * get_local_range(); }
  std::size_t get_global_range(int dimension) const noexcept {
    return get_group_range(dimension) * get_local_range(dimension);
  }
  id_type get_local_id() const noexcept { return detail::gather<id_type, detail::local_id>(); }
  std::size_t get_local_id(int dimension) const noexcept { return detail::local_id(Dimensions - 1 - dimension); }
  range_type get_local_range() const noexcept { return size; }
  std::size_t get_local_range(int dimension) const noexcept { return size[dimension]; }
  range_type get_max_local_range() const noexcept { return get_local_range(); }
  range_type get_group_range() const noexcept { return count; }
  std::size_t get_group_range(int dimension) const noexcept { return count[dimension]; }

  linear_id_type get_group_linear_id() const noexcept { return detail::linear(get_group_id(), get_group_range()); }
  linear_id_type get_local_linear_id() const noexcept { return detail::linear(get_local_id(), get_local_range()); }
  linear_id_type get_group_linear_range() const noexcept { return get_group_range().size(); }
  linear_id_type get_local_linear_range() const noexcept { return get_local_range().size(); }
  bool leader() const noexcept { return get_local_linear_id() == 0; }
  // Work-items of the device.
  std::size_t sinter_group_size() const noexcept { return detail::gather<range_type, detail::local_size>().size(); }

  // Calls a function for each work-item of a hierarchical kernel's group (h_item.hpp).
  template <class Callable> void parallel_for_work_item(const Callable &function) const;
  template <class Callable> void parallel_for_work_item(const range_type &size, const Callable &function) const;

  template <access_mode Mode = access_mode::read_write>
  void mem_fence(access::fence_space space = access::fence_space::global_and_local) const noexcept {
    detail::fence(Mode, space);
  }

  friend bool operator==(const group &a, const group &b) noexcept {
    return a.place == b.place && a.count == b.count && a.size == b.size;
  }
  friend bool operator!=(const group &a, const group &b) noexcept { return !(a == b); }

private:
  friend detail::maker;
  template <int> friend class nd_item;
  explicit group(std::nullptr_t) noexcept : group(detail::gather<range_type, detail::local_size>()) {}
  // The group of a hierarchical kernel, which is one work-item of the device.
  explicit group(const range_type &group_size) noexcept
      : place(detail::gather<id_type, detail::group_id>()),
        count(detail::gather<range_type, detail::num_groups>()), size(group_size) {}

  id_type place;
  range_type count, size;
};

template <int Dimensions = 1> class nd_item : public detail::copies<nd_item<Dimensions>> {
public:
  static constexpr int dimensions = Dimensions;

  nd_item() = delete;

  id<Dimensions> get_global_id() const noexcept { return detail::gather<id<Dimensions>, detail::offset_global_id>(); }
  std::size_t get_global_id(int dimension) const noexcept {
    return detail::offset_global_id(Dimensions - 1 - dimension);
  }
  std::size_t get_global_linear_id() const noexcept {
    return detail::linear(detail::gather<id<Dimensions>, detail::global_id>(), get_global_range());
  }
  id<Dimensions> get_local_id() const noexcept { return detail::gather<id<Dimensions>, detail::local_id>(); }
  std::size_t get_local_id(int dimension) const noexcept { return detail::local_id(Dimensions - 1 - dimension); }
  std::size_t get_local_linear_id() const noexcept { return detail::linear(get_local_id(), get_local_range()); }
  group<Dimensions> get_group() const noexcept { return group<Dimensions>(nullptr); }
  sub_group get_sub_group() const noexcept { return sub_group(nullptr); }
  ext::oneapi::experimental::root_group<Dimensions> ext_oneapi_get_root_group() const noexcept;
  std::size_t get_group(int dimension) const noexcept { return detail::group_id(Dimensions - 1 - dimension); }
  std::size_t get_group_linear_id() const noexcept {
    return detail::linear(detail::gather<id<Dimensions>, detail::group_id>(), get_group_range());
  }

  range<Dimensions> get_group_range() const noexcept {
    return detail::gather<range<Dimensions>, detail::num_groups>();
  }
  std::size_t get_group_range(int dimension) const noexcept { return detail::num_groups(Dimensions - 1 - dimension); }
  range<Dimensions> get_local_range() const noexcept {
    return detail::gather<range<Dimensions>, detail::local_size>();
  }
  std::size_t get_local_range(int dimension) const noexcept { return detail::local_size(Dimensions - 1 - dimension); }
  range<Dimensions> get_global_range() const noexcept {
    return detail::gather<range<Dimensions>, detail::global_size>();
  }
  std::size_t get_global_range(int dimension) const noexcept { return detail::global_size(Dimensions - 1 - dimension); }
  nd_range<Dimensions> get_nd_range() const noexcept { return {get_global_range(), get_local_range(), get_offset()}; }
  std::size_t sinter_group_size() const noexcept { return get_local_range().size(); }
  // Deprecated in SYCL 2020, as the offset is.
  id<Dimensions> get_offset() const noexcept { return detail::gather<id<Dimensions>, detail::offset>(); }

  // Barriers of SYCL 1.2.1. A barrier orders both kinds of memory, whatever the argument.
  void barrier(access::fence_space = access::fence_space::global_and_local) const noexcept {
    detail::work_group_barrier();
  }
  template <access_mode Mode = access_mode::read_write>
  void mem_fence(access::fence_space space = access::fence_space::global_and_local) const noexcept {
    detail::fence(Mode, space);
  }

  friend bool operator==(const nd_item &, const nd_item &) noexcept { return true; }
  friend bool operator!=(const nd_item &, const nd_item &) noexcept { return false; }

private:
  friend detail::maker;
  constexpr explicit nd_item(std::nullptr_t) noexcept {}
};

} // namespace sycl

#endif
