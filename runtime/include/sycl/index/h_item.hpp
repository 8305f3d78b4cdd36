// Hierarchical kernels: h_item, private_memory and group::parallel_for_work_item.
//
// A group is one work-item of the device, which runs the code at work-group scope once and the
// functions of the group's work-items in loops. So variables at work-group scope need no copy in
// local memory, and the end of each loop is the barrier that the standard asks for.
#ifndef SYCL_H_ITEM_HPP
#define SYCL_H_ITEM_HPP

#include "nd_item.hpp"

#include <new>

namespace sycl {

// A work-item of a hierarchical kernel: the logical one, and the physical one that has its private
// memory.
template <int Dimensions> class h_item {
public:
  static constexpr int dimensions = Dimensions;
  using item_type = item<Dimensions, false>;

  h_item() = delete;

  item_type get_global() const noexcept { return detail::maker::make<item_type>(global_index(), get_global_range()); }
  item_type get_local() const noexcept { return get_logical_local(); }
  item_type get_logical_local() const noexcept { return detail::maker::make<item_type>(logical, logical_size); }
  item_type get_physical_local() const noexcept { return detail::maker::make<item_type>(physical(), local_size); }

  range<Dimensions> get_global_range() const noexcept {
    return detail::gather<range<Dimensions>, detail::num_groups>() * local_size;
  }
  std::size_t get_global_range(int dimension) const noexcept { return get_global_range()[dimension]; }
  id<Dimensions> get_global_id() const noexcept { return global_index(); }
  std::size_t get_global_id(int dimension) const noexcept { return global_index()[dimension]; }
  range<Dimensions> get_local_range() const noexcept { return logical_size; }
  std::size_t get_local_range(int dimension) const noexcept { return logical_size[dimension]; }
  id<Dimensions> get_local_id() const noexcept { return logical; }
  std::size_t get_local_id(int dimension) const noexcept { return logical[dimension]; }
  range<Dimensions> get_logical_local_range() const noexcept { return logical_size; }
  std::size_t get_logical_local_range(int dimension) const noexcept { return logical_size[dimension]; }
  id<Dimensions> get_logical_local_id() const noexcept { return logical; }
  std::size_t get_logical_local_id(int dimension) const noexcept { return logical[dimension]; }
  range<Dimensions> get_physical_local_range() const noexcept { return local_size; }
  std::size_t get_physical_local_range(int dimension) const noexcept { return local_size[dimension]; }
  id<Dimensions> get_physical_local_id() const noexcept { return physical(); }
  std::size_t get_physical_local_id(int dimension) const noexcept { return physical()[dimension]; }

  friend bool operator==(const h_item &a, const h_item &b) noexcept {
    return a.logical == b.logical && a.logical_size == b.logical_size && a.local_size == b.local_size;
  }
  friend bool operator!=(const h_item &a, const h_item &b) noexcept { return !(a == b); }

private:
  friend detail::maker;
  constexpr h_item(const id<Dimensions> &index, const range<Dimensions> &range_size,
                   const range<Dimensions> &physical_size) noexcept
      : logical(index), logical_size(range_size), local_size(physical_size) {}

  id<Dimensions> physical() const noexcept {
    id<Dimensions> index;
    for (int d = 0; d < Dimensions; ++d)
      index[d] = logical[d] < local_size[d] ? logical[d] : logical[d] % local_size[d];
    return index;
  }
  id<Dimensions> global_index() const noexcept {
    id<Dimensions> index = physical();
    for (int d = 0; d < Dimensions; ++d)
      index[d] += detail::group_id(Dimensions - 1 - d) * local_size[d];
    return index;
  }

  id<Dimensions> logical;
  range<Dimensions> logical_size, local_size;
};

// An object for each physical work-item of a group, which keeps its value between the functions of
// work-items.
template <class Type, int Dimensions = 1> class private_memory {
public:
  private_memory(const group<Dimensions> &) noexcept {}
  private_memory(const private_memory &) = delete;
  private_memory &operator=(const private_memory &) = delete;

  Type &operator()(const h_item<Dimensions> &item) noexcept {
    return values[detail::linear(item.get_physical_local_id(), item.get_physical_local_range())];
  }

private:
  Type values[detail::largest_hierarchical_group];
};

namespace detail {

template <int Dimensions, class Callable>
void for_each_h_item(const range<Dimensions> &size, const range<Dimensions> &physical, const Callable &function) {
  using item_type = h_item<Dimensions>;
  for (std::size_t x = 0; x < size[0]; ++x)
    if constexpr (Dimensions == 1)
      function(maker::make<item_type>(id<1>(x), size, physical));
    else
      for (std::size_t y = 0; y < size[1]; ++y)
        if constexpr (Dimensions == 2)
          function(maker::make<item_type>(id<2>(x, y), size, physical));
        else
          for (std::size_t z = 0; z < size[2]; ++z)
            function(maker::make<item_type>(id<3>(x, y, z), size, physical));
}

} // namespace detail

template <int Dimensions>
template <class Callable>
void group<Dimensions>::parallel_for_work_item(const Callable &function) const {
  detail::for_each_h_item(get_local_range(), get_local_range(), function);
}
template <int Dimensions>
template <class Callable>
void group<Dimensions>::parallel_for_work_item(const range<Dimensions> &size, const Callable &function) const {
  detail::for_each_h_item(size, get_local_range(), function);
}

} // namespace sycl

#endif
