// Functions that enqueue without an event, launches with properties, events of in-order queues,
// information that extensions ask for.
// levels: 0 2
#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace experimental = sycl::ext::oneapi::experimental;

template <class Call> static bool throws(sycl::errc code, const Call &call) {
  try {
    call();
  } catch (const sycl::exception &error) {
    return error.code() == code;
  }
  return false;
}

static void functions(sycl::queue &queue, int *data) {
  experimental::fill(queue, data, 1, 64);
  experimental::parallel_for(queue, sycl::range<1>(64), [=](sycl::id<1> i) { data[i] += int(i); });
  experimental::nd_launch(queue, sycl::nd_range<1>(64, 8), [=](sycl::nd_item<1> i) { data[i.get_global_id(0)] *= 2; });
  experimental::single_task(queue, [=] { data[0] = 5; });
  experimental::barrier(queue);
  experimental::copy(queue, data, data + 64, 64);
  experimental::memcpy(queue, data + 1, data, sizeof(int));
  experimental::memset(queue, data + 2, 0, sizeof(int));
  experimental::prefetch(queue, data, 64);
  experimental::submit(queue, [&](sycl::handler &cgh) {
    experimental::parallel_for(cgh, sycl::range<1>(4), [=](sycl::id<1> i) { data[8 + i] = 7; });
  });
  const sycl::event all = experimental::submit_with_event(queue, [&](sycl::handler &cgh) { experimental::barrier(cgh); });
  experimental::partial_barrier(queue, {all});
  int *sum = data + 128;
  *sum = 3;
  experimental::parallel_for(queue, sycl::range<1>(10), [=](sycl::id<1> i, auto &total) { total += int(i); },
                             sycl::reduction(sum, sycl::plus<>()));
  queue.wait();
  CHECK(data[0] == 5 && data[1] == 5 && data[2] == 0 && data[3] == 8 && data[9] == 7);
  CHECK(data[64] == 5 && data[65] == 4 && data[127] == 128 && *sum == 48);
}

static void launches(sycl::queue &queue, int *data) {
  const experimental::properties size{experimental::work_group_size<8>};
  static_assert(size.has_property<experimental::work_group_size_key>());
  static_assert(!size.has_property<experimental::sub_group_size_key>());
  static_assert(experimental::is_property_list_v<decltype(experimental::properties{})>);
  const auto write = [=](sycl::nd_item<1> i) { data[i.get_global_id(0)] = int(i.get_local_range(0)); };
  queue.parallel_for(sycl::nd_range<1>(16, 8), size, write).wait();
  CHECK(data[15] == 8);
  CHECK(throws(sycl::errc::nd_range, [&] { queue.parallel_for(sycl::nd_range<1>(16, 4), size, write); }));
  CHECK(throws(sycl::errc::kernel_not_supported, [&] {
    queue.parallel_for(sycl::nd_range<1>(16, 8), experimental::properties{experimental::sub_group_size<2>}, write);
  }));
  const experimental::launch_config config(sycl::nd_range<1>(16, 8),
                                           experimental::properties{experimental::work_group_size_hint<8>});
  experimental::nd_launch(queue, config, [=](sycl::nd_item<1> i) { data[i.get_global_id(0)] += 1; });
  queue.submit([&](sycl::handler &cgh) {
    cgh.single_task<class named>(experimental::properties{}, [=] { data[0] = -1; });
  });
  queue.wait();
  CHECK(data[1] == 9 && data[0] == -1);
}

struct with_properties {
  int *data;
  void operator()(sycl::nd_item<1> item) const { data[item.get_global_id(0)] = 3; }
  auto get(experimental::properties_tag) const { return experimental::properties{experimental::work_group_size<4>}; }
};

static void functors(sycl::queue &queue, int *data) {
  queue.parallel_for(sycl::nd_range<1>(8, 4), with_properties{data}).wait();
  CHECK(data[7] == 3);
  CHECK(throws(sycl::errc::nd_range, [&] { queue.parallel_for(sycl::nd_range<1>(8, 8), with_properties{data}); }));
  CHECK(throws(sycl::errc::nd_range, [&] {
    queue.submit([&](sycl::handler &cgh) { cgh.parallel_for(sycl::nd_range<1>(8, 2), with_properties{data}); });
  }));
}

static void commands(sycl::queue &queue, int *data) {
  sycl::khr::fill(queue, data, 1, 16);
  sycl::khr::launch(queue, sycl::range<1>(16), [=](sycl::id<1> i) { data[i] += int(i); });
  sycl::khr::launch_grouped(queue, sycl::range<1>(16), sycl::range<1>(4),
                            [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] += int(item.get_group(0)); });
  sycl::khr::submit(queue, [&](sycl::handler &cgh) { sycl::khr::launch_task(cgh, [=] { data[0] = 9; }); });
  sycl::khr::command_barrier(queue);
  sycl::khr::copy(queue, data, data + 16, 16);
  const sycl::event done =
      sycl::khr::submit_tracked(queue, [&](sycl::handler &cgh) { sycl::khr::memset(cgh, data, 0, sizeof(int)); });
  sycl::khr::event_barrier(queue, {done});
  queue.wait();
  CHECK(data[0] == 0 && data[15] == 19 && data[16] == 9 && data[31] == 19);
}

static void in_order_events(int *data) {
  sycl::queue queue(sycl::property::queue::in_order{}), other, priority(
      sycl::property_list{sycl::property::queue::in_order(), sycl::ext::oneapi::property::queue::priority_high()});
  CHECK(priority.has_property<sycl::ext::oneapi::property::queue::priority_high>());
  CHECK(queue.ext_oneapi_empty());
  const sycl::event one = queue.single_task([=] { data[0] = 1; });
  CHECK(queue.ext_oneapi_get_last_event() == one);
  other.wait();
  const sycl::event two = other.single_task([=] { data[1] = 2; });
  queue.ext_oneapi_set_external_event(two);
  queue.single_task([=] { data[2] = data[1] + 1; }).wait();
  CHECK(data[2] == 3);
  queue.wait();
  CHECK(queue.ext_oneapi_empty());
  CHECK(throws(sycl::errc::invalid, [&] { static_cast<void>(other.ext_oneapi_get_last_event()); }));
}

static void information(sycl::queue &queue) {
  const sycl::device device = queue.get_device();
  static_assert(sycl::any_device_has_v<sycl::aspect::fp64> && !sycl::all_devices_have_v<sycl::aspect::fp64>);
  static_assert(sycl::all_devices_have_v<sycl::aspect::online_compiler> &&
                !sycl::any_device_has<sycl::aspect::custom>::value);
  CHECK(device.has(sycl::aspect::online_compiler) && device.has(sycl::aspect::online_linker));
  CHECK(!device.has(sycl::aspect::ext_intel_free_memory));
  CHECK(throws(sycl::errc::feature_not_supported, [&] {
    static_cast<void>(device.get_info<sycl::ext::intel::info::device::free_memory>());
  }));
  CHECK(throws(sycl::errc::invalid, [&] { static_cast<void>(device.get_info<sycl::info::device::parent_device>()); }));
  CHECK(device.ext_oneapi_can_access_peer(device));
  CHECK(queue.get_context() == device.get_platform().ext_oneapi_get_default_context());
  CHECK(queue.get_info<sycl::info::queue::reference_count>() == 1);
}

int main() {
  sycl::queue queue;
  int *data = sycl::malloc_shared<int>(129, queue);
  functions(queue, data);
  launches(queue, data);
  functors(queue, data);
  commands(queue, data);
  in_order_events(data);
  information(queue);
  sycl::free(data, queue);
  return pass();
}
