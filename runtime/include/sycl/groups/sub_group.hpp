// sub_group: the work-items of a work-group that run together.
//
// Empty, like a group: every query calls a builtin. On the host a sub-group is one work-item.
#ifndef SYCL_SUB_GROUP_HPP
#define SYCL_SUB_GROUP_HPP

#include "../detail/group_builtins.hpp"
#include "../runtime/info.hpp"
#include "../index/item.hpp"
#include "../memory/multi_ptr.hpp"
#include "../types/vec.hpp"

namespace sycl {

class sub_group {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  sub_group() = delete;

  id_type get_group_id() const noexcept { return get_group_linear_id(); }
  id_type get_local_id() const noexcept { return get_local_linear_id(); }
  range_type get_local_range() const noexcept { return get_local_linear_range(); }
  range_type get_group_range() const noexcept { return get_group_linear_range(); }
  range_type get_max_local_range() const noexcept { return __acpp_sscp_get_subgroup_max_size(); }
  linear_id_type get_group_linear_id() const noexcept { return __acpp_sscp_get_subgroup_id(); }
  linear_id_type get_local_linear_id() const noexcept { return __acpp_sscp_get_subgroup_local_id(); }
  linear_id_type get_group_linear_range() const noexcept { return __acpp_sscp_get_num_subgroups(); }
  linear_id_type get_local_linear_range() const noexcept { return __acpp_sscp_get_subgroup_size(); }
  bool leader() const noexcept { return get_local_linear_id() == 0; }

  // DPC++'s functions: a work-item loads the element with its number from a row, or from each of
  // Count rows. Rows are contiguous and have as many elements as the maximum sub-group size.
  template <class Type> std::remove_cv_t<Type> load(Type *row) const { return row[get_local_linear_id()]; }
  template <class Type, access::address_space Space, access::decorated Decorated>
  std::remove_cv_t<Type> load(multi_ptr<Type, Space, Decorated> row) const {
    return row.get()[get_local_linear_id()];
  }
  template <int Count, class Type, access::address_space Space, access::decorated Decorated>
  vec<std::remove_cv_t<Type>, Count> load(multi_ptr<Type, Space, Decorated> rows) const {
    vec<std::remove_cv_t<Type>, Count> loaded;
    for (int i = 0; i < Count; ++i)
      loaded[i] = rows.get()[get_local_linear_id() + i * get_max_local_range()[0]];
    return loaded;
  }
  template <class Type> void store(Type *row, const detail::no_deduction<Type> &x) const {
    row[get_local_linear_id()] = x;
  }
  template <class Type, access::address_space Space, access::decorated Decorated>
  void store(multi_ptr<Type, Space, Decorated> row, const detail::no_deduction<Type> &x) const {
    row.get()[get_local_linear_id()] = x;
  }
  template <int Count, class Type, access::address_space Space, access::decorated Decorated>
  void store(multi_ptr<Type, Space, Decorated> rows, const vec<Type, Count> &x) const {
    for (int i = 0; i < Count; ++i)
      rows.get()[get_local_linear_id() + i * get_max_local_range()[0]] = x[i];
  }

  // Two sub-groups can be compared only inside one work-item, which has one sub-group.
  friend bool operator==(const sub_group &, const sub_group &) noexcept { return true; }
  friend bool operator!=(const sub_group &, const sub_group &) noexcept { return false; }

private:
  friend detail::maker;
  template <int> friend class nd_item;
  constexpr explicit sub_group(std::nullptr_t) noexcept {}
};

} // namespace sycl

#endif
