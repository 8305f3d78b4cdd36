// Loads and stores by all work-items of a group: sycl_ext_oneapi_group_load_store, and values that
// are the same for all of them: sycl_ext_oneapi_uniform.
#ifndef SYCL_GROUP_LOAD_STORE_HPP
#define SYCL_GROUP_LOAD_STORE_HPP

#include "../runtime/launch_properties.hpp"
#include "../types/span.hpp"
#include "group_algorithms.hpp"

#define SYCL_EXT_ONEAPI_GROUP_LOAD_STORE 1
#define SYCL_EXT_ONEAPI_UNIFORM 1

namespace sycl::ext::oneapi::experimental {

enum class data_placement_enum { blocked, striped };
struct data_placement_key {
  template <data_placement_enum Place>
  using value_t = property_value<data_placement_key, std::integral_constant<data_placement_enum, Place>>;
};
template <data_placement_enum Place> inline constexpr data_placement_key::value_t<Place> data_placement;
inline constexpr data_placement_key::value_t<data_placement_enum::blocked> data_placement_blocked;
inline constexpr data_placement_key::value_t<data_placement_enum::striped> data_placement_striped;

struct contiguous_memory_key { using value_t = property_value<contiguous_memory_key>; };
inline constexpr contiguous_memory_key::value_t contiguous_memory;
struct full_group_key { using value_t = property_value<full_group_key>; };
inline constexpr full_group_key::value_t full_group;

} // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

// The place in memory of element `i` of the work-item's elements.
template <class List, class Group> std::size_t element_place(const Group &group, std::size_t i, std::size_t count) {
  const std::size_t self = group.get_local_linear_id(), items = group.get_local_linear_range();
  namespace oneapi = ext::oneapi::experimental;
  if constexpr (List::template has_property<oneapi::data_placement_key>())
    if constexpr (List::template get_property<oneapi::data_placement_key>().value ==
                  oneapi::data_placement_enum::striped)
      return i * items + self;
  return self * count + i;
}

} // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <class Group, class Input, class Type, std::size_t Count, class List = empty_properties_t>
void group_load(Group group, Input from, sycl::span<Type, Count> to, List = {}) {
  for (std::size_t i = 0; i < Count; ++i)
    to[i] = from[detail::element_place<List>(group, i, Count)];
}
template <class Group, class Input, class Type, class List = empty_properties_t,
          detail::enable_if<is_property_list_v<List>> = 0>
void group_load(Group group, Input from, Type &to, List = {}) {
  to = from[group.get_local_linear_id()];
}
template <class Group, class Input, class Type, int Count, class List = empty_properties_t>
void group_load(Group group, Input from, vec<Type, Count> &to, List = {}) {
  for (int i = 0; i < Count; ++i)
    to[i] = from[detail::element_place<List>(group, i, Count)];
}
template <class Group, class Type, std::size_t Count, class Output, class List = empty_properties_t>
void group_store(Group group, sycl::span<Type, Count> from, Output to, List = {}) {
  for (std::size_t i = 0; i < Count; ++i)
    to[detail::element_place<List>(group, i, Count)] = from[i];
}
template <class Group, class Type, class Output, class List = empty_properties_t,
          detail::enable_if<is_property_list_v<List>> = 0>
void group_store(Group group, const Type &from, Output to, List = {}) {
  to[group.get_local_linear_id()] = from;
}
template <class Group, class Type, int Count, class Output, class List = empty_properties_t>
void group_store(Group group, const vec<Type, Count> &from, Output to, List = {}) {
  for (int i = 0; i < Count; ++i)
    to[detail::element_place<List>(group, i, Count)] = from[i];
}

// The program promises that the value is the same for all work-items of a group.
template <class Type> class uniform {
public:
  explicit uniform(Type same) noexcept : value(same) {}
  operator Type() const noexcept { return value; }

private:
  Type value;
};

} // namespace sycl::ext::oneapi::experimental

#endif
