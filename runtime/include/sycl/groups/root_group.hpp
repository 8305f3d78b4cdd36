// root_group (sycl_ext_oneapi_root_group): all work-items of a kernel, and the queries of how large
// a launch may be that waits for all of them.
//
// No driver here starts groups that are promised to run at once, so a launch with use_root_sync has
// one work-group, and the query says so; a barrier of the root group is then one of the work-group.
#ifndef SYCL_ROOT_GROUP_HPP
#define SYCL_ROOT_GROUP_HPP

#include "../index/nd_item.hpp"
#include "../runtime/info.hpp"

#define SYCL_EXT_ONEAPI_ROOT_GROUP 1

namespace sycl::ext::oneapi::experimental {

enum class execution_scope { work_item, sub_group, work_group, root_group };

template <int Dimensions> class root_group {
  template <execution_scope Scope> using is_sub_group = std::bool_constant<Scope == execution_scope::sub_group>;
  template <execution_scope Scope, class Whole, class Linear>
  using of_scope = std::conditional_t<is_sub_group<Scope>::value, Linear, Whole>;

public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::device;

  root_group() = delete;

  id_type get_group_id() const noexcept { return {}; }
  id_type get_local_id() const noexcept { return sycl::detail::gather<id_type, sycl::detail::global_id>(); }
  range_type get_group_range() const noexcept {
    range_type ones;
    for (int d = 0; d < Dimensions; ++d)
      ones[d] = 1;
    return ones;
  }
  range_type get_local_range() const noexcept {
    return sycl::detail::gather<range_type, sycl::detail::global_size>();
  }
  range_type get_max_local_range() const noexcept { return get_local_range(); }
  linear_id_type get_group_linear_id() const noexcept { return 0; }
  linear_id_type get_local_linear_id() const noexcept {
    return sycl::detail::linear(get_local_id(), get_local_range());
  }
  linear_id_type get_group_linear_range() const noexcept { return 1; }
  linear_id_type get_local_linear_range() const noexcept { return get_local_range().size(); }
  bool leader() const noexcept { return get_local_linear_id() == 0; }

  template <execution_scope Scope> of_scope<Scope, id_type, id<1>> get_id() const noexcept {
    if constexpr (Scope == execution_scope::work_item)
      return get_local_id();
    else if constexpr (Scope == execution_scope::work_group)
      return group().get_group_id();
    else
      return get_linear_id<Scope>();
  }
  template <execution_scope Scope> std::size_t get_linear_id() const noexcept {
    static_assert(Scope != execution_scope::root_group, "there is one root group");
    if constexpr (Scope == execution_scope::work_item)
      return get_local_linear_id();
    else if constexpr (Scope == execution_scope::work_group)
      return group().get_group_linear_id();
    else
      return group().get_group_linear_id() * part().get_group_linear_range() + part().get_group_linear_id();
  }
  template <execution_scope Scope> of_scope<Scope, range_type, range<1>> get_range() const noexcept {
    if constexpr (Scope == execution_scope::work_item)
      return get_local_range();
    else if constexpr (Scope == execution_scope::work_group)
      return group().get_group_range();
    else
      return range<1>(get_linear_range<Scope>());
  }
  template <execution_scope Scope> std::size_t get_linear_range() const noexcept {
    static_assert(Scope != execution_scope::root_group, "there is one root group");
    if constexpr (Scope == execution_scope::work_item)
      return get_local_linear_range();
    else if constexpr (Scope == execution_scope::work_group)
      return group().get_group_linear_range();
    else
      return group().get_group_linear_range() * part().get_group_linear_range();
  }

private:
  friend sycl::detail::maker;
  constexpr explicit root_group(std::nullptr_t) noexcept {}

  static sycl::group<Dimensions> group() noexcept {
    return sycl::detail::maker::make<sycl::group<Dimensions>>(nullptr);
  }
  static sub_group part() noexcept { return sycl::detail::maker::make<sub_group>(nullptr); }
};

namespace this_work_item {
template <int Dimensions> root_group<Dimensions> get_root_group() noexcept {
  return sycl::detail::maker::make<root_group<Dimensions>>(nullptr);
}
} // namespace this_work_item
namespace this_kernel {
template <int Dimensions> root_group<Dimensions> get_root_group() noexcept {
  return this_work_item::get_root_group<Dimensions>();
}
} // namespace this_kernel

// Descriptors of kernel::ext_oneapi_get_info. The kernels of a queue are those of its device.
namespace info::kernel_queue_specific {
struct max_num_work_groups {
  using return_type = std::size_t;
  template <class Kernel, class Queue> static return_type sinter_answer(const Kernel &, const Queue &) { return 1; }
};
struct max_num_work_group_sync : max_num_work_groups {};
struct max_work_group_size {
  using return_type = std::size_t;
  template <class Kernel, class Queue> static return_type sinter_answer(const Kernel &kernel, const Queue &target) {
    return kernel.template get_info<sycl::info::kernel_device_specific::work_group_size>(target.get_device());
  }
};
} // namespace info::kernel_queue_specific

} // namespace sycl::ext::oneapi::experimental

namespace sycl {

template <int Dimensions>
ext::oneapi::experimental::root_group<Dimensions> nd_item<Dimensions>::ext_oneapi_get_root_group() const noexcept {
  return ext::oneapi::experimental::this_work_item::get_root_group<Dimensions>();
}

// The one work-group that a launch with use_root_sync has.
template <int Dimensions>
void group_barrier(ext::oneapi::experimental::root_group<Dimensions>,
                   memory_scope scope = memory_scope::device) noexcept {
  detail::work_group_barrier(scope);
}

} // namespace sycl

#endif
