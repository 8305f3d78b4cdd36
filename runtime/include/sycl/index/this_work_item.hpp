// Queries of the work-item without an argument: sycl_ext_oneapi_free_function_queries.
//
// Only for kernels over an nd_range, since a plain range has no groups that a program sees.
#ifndef SYCL_THIS_WORK_ITEM_HPP
#define SYCL_THIS_WORK_ITEM_HPP

#include "nd_item.hpp"

#define SYCL_EXT_ONEAPI_FREE_FUNCTION_QUERIES 1

namespace sycl::ext::oneapi {

namespace this_work_item {

template <int Dimensions> nd_item<Dimensions> get_nd_item() noexcept {
  return detail::maker::make<nd_item<Dimensions>>(nullptr);
}
template <int Dimensions> group<Dimensions> get_work_group() noexcept {
  return detail::maker::make<group<Dimensions>>(nullptr);
}
inline sub_group get_sub_group() noexcept { return detail::maker::make<sub_group>(nullptr); }

} // namespace this_work_item

// The names before the extension was accepted.
namespace experimental {

template <int Dimensions> nd_item<Dimensions> this_nd_item() noexcept {
  return this_work_item::get_nd_item<Dimensions>();
}
template <int Dimensions> group<Dimensions> this_group() noexcept {
  return this_work_item::get_work_group<Dimensions>();
}
inline sub_group this_sub_group() noexcept { return this_work_item::get_sub_group(); }

} // namespace experimental
} // namespace sycl::ext::oneapi

#endif
