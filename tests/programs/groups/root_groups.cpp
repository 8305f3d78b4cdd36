// levels: 0 2
//
// The group of all work-items of a kernel, whose barrier makes writes visible to all of them.
#include "../check.hpp"
#include <sycl/sycl.hpp>

namespace oneapi = sycl::ext::oneapi::experimental;
using scope = oneapi::execution_scope;

struct with_root_sync {
  int *out;
  void operator()(sycl::nd_item<1> item) const {
    sycl::group_barrier(item.ext_oneapi_get_root_group());
    out[item.get_global_id(0)] = 7;
  }
  auto get(oneapi::properties_tag) const { return oneapi::properties{oneapi::use_root_sync}; }
};

void positions(sycl::queue &queue, int *out) {
  queue.parallel_for(sycl::nd_range<2>({4, 6}, {2, 3}), [=](sycl::nd_item<2> item) {
    const auto root = item.ext_oneapi_get_root_group();
    const auto same = oneapi::this_work_item::get_root_group<2>();
    const bool right =
        root.get_local_id() == item.get_global_id() && root.get_local_range() == item.get_global_range() &&
        root.get_group_id() == sycl::id<2>() && root.get_group_range() == sycl::range<2>(1, 1) &&
        root.get_local_linear_id() == item.get_global_linear_id() && same.get_local_linear_range() == 24 &&
        root.leader() == (item.get_global_linear_id() == 0) &&
        root.get_id<scope::work_group>() == item.get_group().get_group_id() &&
        root.get_linear_id<scope::work_item>() == item.get_global_linear_id() &&
        root.get_range<scope::work_group>() == item.get_group_range() &&
        root.get_linear_range<scope::sub_group>() == 4 * item.get_sub_group().get_group_linear_range() &&
        root.get_id<scope::sub_group>()[0] < root.get_range<scope::sub_group>()[0];
    out[item.get_global_linear_id()] = right;
  }).wait();
  for (int i = 0; i < 24; ++i)
    CHECK(out[i] == 1);
}

template <class Function> bool is_too_large(const Function &function) {
  try {
    function();
  } catch (const sycl::exception &error) {
    return error.code() == sycl::errc::nd_range;
  }
  return false;
}

int main() {
  sycl::queue queue{sycl::property::queue::in_order()};
  int *out = sycl::malloc_shared<int>(64, queue);
  positions(queue, out);
  constexpr oneapi::properties synchronised{oneapi::use_root_sync};
  const auto reverse = [=](sycl::nd_item<1> item) {
    const auto root = item.ext_oneapi_get_root_group();
    const std::size_t i = root.get_local_linear_id(), count = root.get_local_linear_range();
    out[i] = static_cast<int>(i);
    sycl::group_barrier(root);
    const int other = out[count - 1 - i];
    sycl::group_barrier(root);
    out[i] = other;
  };
  queue.parallel_for<class named>(sycl::nd_range<1>(32, 32), synchronised, reverse).wait();
  for (int i = 0; i < 32; ++i)
    CHECK(out[i] == 31 - i);
  queue.parallel_for(sycl::nd_range<1>(16, 16), with_root_sync{out}).wait();
  CHECK(out[15] == 7);
  CHECK(is_too_large([&] { queue.parallel_for(sycl::nd_range<1>(64, 32), synchronised, reverse); }));
  CHECK(is_too_large([&] { queue.parallel_for(sycl::nd_range<1>(32, 16), with_root_sync{out}); }));
  CHECK(is_too_large([&] {
    queue.submit([&](sycl::handler &group) {
      group.parallel_for(sycl::nd_range<1>(32, 16), with_root_sync{out});
    });
  }));
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(queue.get_context());
  const auto kernel = bundle.get_kernel<named>();
  namespace of_launch = oneapi::info::kernel_queue_specific;
  CHECK(kernel.ext_oneapi_get_info<of_launch::max_num_work_groups>(queue, sycl::range<1>(32), 0) == 1);
  CHECK(kernel.ext_oneapi_get_info<of_launch::max_num_work_group_sync>(queue) == 1);
  CHECK(kernel.ext_oneapi_get_info<of_launch::max_work_group_size>(queue) >= 32);
  sycl::free(out, queue);
  return pass();
}
