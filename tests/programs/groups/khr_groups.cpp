// levels: 0 2
// standards: c++17 c++20
//
// The groups and queries of the KHR extensions, against those of the core.
#include "../check.hpp"
#include <sycl/sycl.hpp>

#if !defined(SYCL_KHR_GROUP_INTERFACE) || !defined(SYCL_KHR_WORK_ITEM_QUERIES)
#error "the macros of the extensions are missing"
#endif

template <int Dimensions> bool are_right(sycl::nd_item<Dimensions> item) {
  const sycl::group<Dimensions> group = item.get_group();
  const sycl::sub_group part = item.get_sub_group();
  const sycl::khr::work_group<Dimensions> whole{group};
  const sycl::khr::sub_group few{part};
  const sycl::khr::member_item one = sycl::khr::get_member_item(whole);
  const sycl::khr::member_item other = sycl::khr::get_member_item(few);
  static_assert(std::is_same_v<decltype(few.size()), std::uint32_t>);
  static_assert(std::is_same_v<decltype(one.id()), sycl::id<Dimensions>>);
  const sycl::group<Dimensions> back = whole;
  return whole.id() == group.get_group_id() && whole.linear_id() == group.get_group_linear_id() &&
         whole.range() == group.get_group_range() && whole.size() == group.get_local_linear_range() &&
         few.id() == part.get_group_id() && few.linear_id() == part.get_group_linear_id() &&
         few.range() == part.get_group_range() && few.size() == part.get_local_range()[0] &&
         few.max_size() == part.get_max_local_range()[0] && one.id() == group.get_local_id() &&
         one.linear_id() == group.get_local_linear_id() && one.range() == group.get_local_range() && one.size() == 1 &&
         other.id() == part.get_local_id() && other.range() == part.get_local_range() &&
         sycl::khr::leader_of(whole) == group.leader() && sycl::khr::leader_of(few) == part.leader() &&
         back == sycl::khr::this_group<Dimensions>() && sycl::khr::this_nd_item<Dimensions>() == item &&
         sycl::khr::this_sub_group().get_local_id() == part.get_local_id();
}

template <int Dimensions> void check(sycl::queue &queue, sycl::nd_range<Dimensions> size) {
  const std::size_t count = size.get_global_range().size();
  int *out = sycl::malloc_shared<int>(2 * count, queue);
  queue.parallel_for(size, [=](sycl::nd_item<Dimensions> item) {
    const sycl::khr::work_group<Dimensions> whole{item.get_group()};
    const std::size_t i = item.get_global_linear_id();
    out[i] = are_right(item);
    out[count + i] = sycl::reduce_over_group(whole, 1, sycl::plus<int>());
    sycl::group_barrier(whole);
    sycl::group_barrier(sycl::khr::sub_group{item.get_sub_group()});
  }).wait();
  for (std::size_t i = 0; i < count; ++i)
    CHECK(out[i] == 1 && out[count + i] == static_cast<int>(size.get_local_range().size()));
  sycl::free(out, queue);
}

int main() {
  sycl::queue queue;
  check(queue, sycl::nd_range<1>(100, 10));
  check(queue, sycl::nd_range<2>({10, 12}, {2, 3}));
  check(queue, sycl::nd_range<3>({3, 10, 12}, {1, 2, 3}));
  return pass();
}
