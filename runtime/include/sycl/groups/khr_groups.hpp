// Groups and queries of work-items of the KHR extensions: sycl_khr_group_interface and
// sycl_khr_work_item_queries.
//
// Their groups are those of the core with shorter names, so that group functions take them. What
// needs std::extents is left out.
#ifndef SYCL_KHR_GROUPS_HPP
#define SYCL_KHR_GROUPS_HPP

#include "../index/this_work_item.hpp"
#include "group_algorithms.hpp"

#define SYCL_KHR_GROUP_INTERFACE 1
#define SYCL_KHR_WORK_ITEM_QUERIES 1

namespace sycl::khr {

template <int Dimensions> nd_item<Dimensions> this_nd_item() noexcept {
  return ext::oneapi::this_work_item::get_nd_item<Dimensions>();
}
template <int Dimensions> group<Dimensions> this_group() noexcept {
  return ext::oneapi::this_work_item::get_work_group<Dimensions>();
}
inline sycl::sub_group this_sub_group() noexcept { return ext::oneapi::this_work_item::get_sub_group(); }

template <int Dimensions = 1> class work_group : public group<Dimensions> {
public:
  using id_type = sycl::id<Dimensions>;
  using range_type = sycl::range<Dimensions>;
  using linear_id_type = std::size_t;
  using size_type = std::size_t;

  work_group(const group<Dimensions> &whole) noexcept : group<Dimensions>(whole) {}

  id_type id() const noexcept { return this->get_group_id(); }
  linear_id_type linear_id() const noexcept { return this->get_group_linear_id(); }
  range_type range() const noexcept { return this->get_group_range(); }
  size_type size() const noexcept { return this->get_local_linear_range(); }
};

class sub_group : public sycl::sub_group {
public:
  using id_type = sycl::id<1>;
  using range_type = sycl::range<1>;
  using linear_id_type = std::uint32_t;
  using size_type = std::uint32_t;

  sub_group(const sycl::sub_group &whole) noexcept : sycl::sub_group(whole) {}

  id_type id() const noexcept { return get_group_id(); }
  linear_id_type linear_id() const noexcept { return static_cast<linear_id_type>(get_group_linear_id()); }
  range_type range() const noexcept { return get_group_range(); }
  size_type size() const noexcept { return static_cast<size_type>(get_local_linear_range()); }
  size_type max_size() const noexcept { return static_cast<size_type>(get_max_local_range()[0]); }
};

// The calling work-item as a member of a group.
template <class ParentGroup> class member_item {
public:
  using id_type = typename ParentGroup::id_type;
  using range_type = typename ParentGroup::range_type;
  using linear_id_type = typename ParentGroup::linear_id_type;
  using size_type = typename ParentGroup::size_type;
  static constexpr int dimensions = ParentGroup::dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_item;

  explicit member_item(const ParentGroup &parent) noexcept : whole(parent) {}

  id_type id() const noexcept { return whole.get_local_id(); }
  linear_id_type linear_id() const noexcept { return static_cast<linear_id_type>(whole.get_local_linear_id()); }
  range_type range() const noexcept { return whole.get_local_range(); }
  constexpr size_type size() const noexcept { return 1; }

private:
  ParentGroup whole;
};

template <class ParentGroup> member_item<ParentGroup> get_member_item(const ParentGroup &parent) noexcept {
  return member_item<ParentGroup>(parent);
}
template <class Group> bool leader_of(const Group &whole) noexcept { return whole.leader(); }

} // namespace sycl::khr

namespace sycl {

template <int Dimensions> struct is_group<khr::work_group<Dimensions>> : std::true_type {};
template <> struct is_group<khr::sub_group> : std::true_type {};
template <> inline constexpr bool detail::is_sub_group<khr::sub_group> = true;

} // namespace sycl

#endif
