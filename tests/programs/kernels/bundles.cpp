// Kernel bundles: kernels by their names, states, values of specialization constants, queries.
// levels: 0 2
// standards: c++17 c++20
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstring>

#include "../check.hpp"

using state = sycl::bundle_state;

namespace {
class plain_name;
class required_name;
class constant_name;
class impossible_name;
class huge_name;
constexpr sycl::specialization_id<int> factor(3);
constexpr sycl::specialization_id<int> unused(3);
} // namespace
class offset_name;

struct functor {
  int *data;
  void operator()() const { data[0] = 77; }
};

static void kernels(sycl::queue &queue, int *data) {
  queue.submit([&](sycl::handler &cgh) { cgh.single_task<plain_name>([=] { data[0] = 1; }); }).wait();
  queue.submit([&](sycl::handler &cgh) {
         cgh.parallel_for<required_name>(
             sycl::nd_range<1>(16, 8),
             [=](sycl::nd_item<1> item) [[sycl::reqd_work_group_size(8)]] { data[item.get_global_id(0)] = 2; });
       })
      .wait();
  queue.single_task(functor{data}).wait();
  CHECK(data[0] == 77 && data[15] == 2);
}

static bool contains(const std::vector<sycl::kernel_id> &ids, const sycl::kernel_id &id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

template <class Call> static bool throws(sycl::errc code, const Call &call) {
  try {
    call();
  } catch (const sycl::exception &error) {
    return error.code() == code;
  }
  return false;
}

static void identifiers(sycl::queue &queue) {
  const std::vector<sycl::kernel_id> all = sycl::get_kernel_ids();
  const sycl::kernel_id plain = sycl::get_kernel_id<plain_name>(), required = sycl::get_kernel_id<required_name>();
  CHECK(all.size() >= 5 && contains(all, plain) && contains(all, required));
  CHECK(contains(all, sycl::get_kernel_id<functor>()));
  CHECK(plain != required && plain == sycl::get_kernel_id<plain_name>());
  CHECK(std::strstr(plain.get_name(), "plain_name") != nullptr);
  CHECK(std::hash<sycl::kernel_id>()(plain) == std::hash<sycl::kernel_id>()(sycl::get_kernel_id<plain_name>()));
  CHECK(sycl::is_compatible({plain}, queue.get_device()) && sycl::is_compatible<plain_name>(queue.get_device()));
  CHECK(!sycl::is_compatible<impossible_name>(queue.get_device()));
  CHECK(!sycl::is_compatible<huge_name>(queue.get_device()));
}

static void states(sycl::queue &queue) {
  const sycl::context context = queue.get_context();
  const std::vector<sycl::device> devices{queue.get_device()};
  const sycl::kernel_id plain = sycl::get_kernel_id<plain_name>(), required = sycl::get_kernel_id<required_name>();

  CHECK((sycl::has_kernel_bundle<state::input>(context, devices)));
  CHECK((sycl::has_kernel_bundle<plain_name, state::executable>(context)));
  CHECK((!sycl::has_kernel_bundle<impossible_name, state::executable>(context, devices)));
  auto input = sycl::get_kernel_bundle<state::input>(context, devices, {plain, required});
  CHECK(!input.empty() && input.has_kernel(plain) && input.has_kernel<required_name>(devices[0]));
  CHECK(input.get_kernel_ids().size() == 2 && input.end() - input.begin() == 2);
  CHECK(input.begin()->has_kernel(plain) != (input.begin() + 1)->has_kernel(plain));
  static_assert(noexcept(input.has_kernel(plain, devices[0])) && noexcept(input.begin()->has_kernel(plain, devices[0])));
  CHECK(input.get_context() == context && input.get_devices() == devices);
  CHECK(input.get_backend() == queue.get_backend());

  const auto object = sycl::compile(input);
  const sycl::kernel_bundle<state::executable> linked = sycl::link(object, devices);
  const sycl::kernel_bundle<state::executable> built = sycl::build(input);
  CHECK(linked != built && linked == sycl::kernel_bundle<state::executable>(linked));
  CHECK(linked.has_kernel(required) && built.get_kernel_ids() == input.get_kernel_ids());
  const auto one = sycl::get_kernel_bundle<plain_name, state::object>(context, devices);
  const auto other = sycl::get_kernel_bundle<required_name, state::object>(context);
  CHECK(sycl::link({one, sycl::get_kernel_bundle<required_name, state::object>(context, devices)})
            .get_kernel_ids()
            .size() == 2);
  CHECK(!other.has_kernel<plain_name>());
  const auto selected = sycl::get_kernel_bundle<state::executable>(
      context, devices, [&](const sycl::device_image<state::executable> &image) { return image.has_kernel(plain); });
  CHECK(selected.get_kernel_ids() == std::vector<sycl::kernel_id>{plain});
  CHECK(sycl::get_kernel_bundle<state::executable>(context).has_kernel(plain));

  CHECK(throws(sycl::errc::invalid, [&] {
    static_cast<void>(sycl::get_kernel_bundle<state::executable>(context, std::vector<sycl::device>()));
  }));
  CHECK((sycl::has_kernel_bundle<state::object>(context, {std::vector<sycl::kernel_id>()})));
  CHECK((sycl::get_kernel_bundle<state::object>(context, std::vector<sycl::kernel_id>()).empty()));
  CHECK(sycl::join<state::input>({}).empty());
  CHECK(throws(sycl::errc::invalid, [&] {
    static_cast<void>(sycl::link(std::vector<sycl::kernel_bundle<state::object>>(), devices));
  }));
  CHECK(throws(sycl::errc::invalid, [&] { static_cast<void>(selected.get_kernel(required)); }));
  CHECK(throws(sycl::errc::invalid, [&] {
    static_cast<void>(sycl::get_kernel_bundle<impossible_name, state::executable>(context, devices));
  }));
  CHECK(throws(sycl::errc::invalid, [&] {
    static_cast<void>(sycl::join(std::vector<sycl::kernel_bundle<state::object>>{
        one, sycl::get_kernel_bundle<state::object>(sycl::context(devices))}));
  }));
}

// Images are equal if kernel, context, devices and values of constants are.
static void images(sycl::queue &queue) {
  const std::vector<sycl::device> devices{queue.get_device()};
  auto input = sycl::get_kernel_bundle<state::input>(queue.get_context(), devices);
  const auto empty = sycl::get_kernel_bundle<state::input>(
      queue.get_context(), devices, [](const sycl::device_image<state::input> &) { return false; });
  CHECK(empty.empty() && input.end() - input.begin() >= 5);
  const auto joined = sycl::join<state::input>({empty, input, input});
  CHECK(joined != input && joined.end() - joined.begin() == input.end() - input.begin());
  for (const sycl::device_image<state::input> &image : input)
    CHECK(std::count(joined.begin(), joined.end(), image) == 1);
  CHECK(std::hash<sycl::device_image<state::input>>()(*joined.begin()) ==
        std::hash<sycl::device_image<state::input>>()(*input.begin()));
  const auto elsewhere = sycl::get_kernel_bundle<state::input>(sycl::context(devices), devices);
  CHECK(*elsewhere.begin() != *input.begin() && *joined.begin() != *(joined.begin() + 1));
  input.set_specialization_constant<factor>(4);
  CHECK(*joined.begin() != *input.begin() && *sycl::join<state::input>({input}).begin() == *input.begin());
}

static void queries(sycl::queue &queue) {
  namespace specific = sycl::info::kernel_device_specific;
  const sycl::device device = queue.get_device();
  const auto bundle = sycl::get_kernel_bundle<state::executable>(queue.get_context(), {device});
  const sycl::kernel plain = bundle.get_kernel<plain_name>();
  const sycl::kernel required = bundle.get_kernel(sycl::get_kernel_id<required_name>());
  CHECK(throws(sycl::errc::invalid, [&] {
    queue.submit([&](sycl::handler &group) { group.single_task(plain); });
  }));
  CHECK(throws(sycl::errc::invalid, [&] {
    queue.submit([&](sycl::handler &group) { group.parallel_for(sycl::range<1>(4), plain); });
  }));
  CHECK(throws(sycl::errc::invalid, [&] {
    queue.submit([&](sycl::handler &group) { group.parallel_for(sycl::nd_range<2>({4, 4}, {2, 2}), plain); });
  }));
  CHECK(plain != required && plain == bundle.get_kernel<plain_name>() && plain.get_kernel_bundle() == bundle);
  CHECK(plain.get_context() == queue.get_context() && plain.get_backend() == queue.get_backend());
  CHECK(plain.get_info<sycl::info::kernel::function_name>().find("plain_name") != std::string::npos);
  CHECK(throws(sycl::errc::invalid, [&] { static_cast<void>(plain.get_info<sycl::info::kernel::num_args>()); }));
  CHECK(plain.get_info<sycl::info::kernel::attributes>().empty());
  CHECK(required.get_info<sycl::info::kernel::attributes>() == "reqd_work_group_size(1,1,8)");
  const std::size_t largest = plain.get_info<specific::work_group_size>(device);
  CHECK(largest >= 1 && largest <= device.get_info<sycl::info::device::max_work_group_size>());
  if (queue.get_backend() == sycl::backend::ext_oneapi_cuda)
    CHECK(plain.get_info<specific::ext_codeplay_num_regs>(device) != 0);
  CHECK(required.get_info<specific::private_mem_size>(device) < 1 << 20);
  CHECK(required.get_info<specific::work_group_size>(device) == 8);
  CHECK(required.get_info<specific::compile_work_group_size>(device) == sycl::range<3>(1, 1, 8));
  CHECK(plain.get_info<specific::compile_work_group_size>(device) == sycl::range<3>(0, 0, 0));
  CHECK(plain.get_info<specific::preferred_work_group_size_multiple>(device) >= 1);
  CHECK(plain.get_info<specific::max_sub_group_size>(device) >= 1);
  CHECK(plain.get_info<specific::max_num_sub_groups>(device) >= 1);
  CHECK(plain.get_info<specific::compile_sub_group_size>(device) == 0);
  CHECK(throws(sycl::errc::invalid, [&] { static_cast<void>(plain.get_info<specific::global_work_size>(device)); }));
}

static void constants(sycl::queue &queue, int *data) {
  const auto scale = [=](sycl::kernel_handler values) { data[0] = values.get_specialization_constant<factor>() * 10; };
  auto input = sycl::get_kernel_bundle<constant_name, state::input>(queue.get_context(), {queue.get_device()});
  CHECK(input.contains_specialization_constants() && input.has_specialization_constant<factor>());
  CHECK(!input.has_specialization_constant<unused>());
  CHECK(input.get_specialization_constant<factor>() == 3);
  input.set_specialization_constant<factor>(5);
  input.set_specialization_constant<unused>(1);
  CHECK(input.get_specialization_constant<factor>() == 5);
  const auto five = sycl::build(input);
  input.set_specialization_constant<factor>(6);
  CHECK(five.get_specialization_constant<factor>() == 5);
  queue.submit([&](sycl::handler &cgh) {
    cgh.use_kernel_bundle(five);
    CHECK(throws(sycl::errc::invalid, [&] { static_cast<void>(cgh.get_specialization_constant<factor>()); }));
    CHECK(throws(sycl::errc::invalid, [&] { cgh.set_specialization_constant<factor>(7); }));
    cgh.single_task<constant_name>(scale);
  });
  queue.wait();
  CHECK(data[0] == 50);
  queue.submit([&](sycl::handler &cgh) {
    cgh.set_specialization_constant<factor>(8);
    CHECK(throws(sycl::errc::invalid, [&] { cgh.use_kernel_bundle(five); }));
    cgh.single_task<constant_name>(scale);
  });
  queue.wait();
  CHECK(data[0] == 80);
  CHECK(throws(sycl::errc::kernel_not_supported, [&] {
    queue.submit([&](sycl::handler &cgh) {
      cgh.use_kernel_bundle(five);
      cgh.single_task([=] { data[0] = 0; });
    });
  }));
  const sycl::context another{queue.get_device()};
  CHECK(throws(sycl::errc::invalid, [&] {
    queue.submit([&](sycl::handler &cgh) {
      cgh.use_kernel_bundle(sycl::get_kernel_bundle<state::executable>(another));
    });
  }));
}

static void offsets(sycl::queue &queue, int *data) {
  queue.submit([&](sycl::handler &cgh) {
    cgh.parallel_for<offset_name>(sycl::range<1>(5), sycl::id<1>(10), [=](sycl::item<1> item) {
      data[item.get_id(0)] = int(item.get_offset()[0] + item.get_range(0) + item.get_linear_id());
    });
  });
  queue.parallel_for(sycl::range<2>(2, 3), sycl::id<2>(4, 1), [=](sycl::id<2> i) { data[i[0] * 4 + i[1]] = int(i[0] * 10 + i[1]); });
  queue.wait();
  for (int i = 10; i < 15; ++i)
    CHECK_EQUAL(data[i], 15 + i - 10);
  for (int i = 4; i < 6; ++i)
    for (int j = 1; j < 4; ++j)
      CHECK_EQUAL(data[i * 4 + j], i * 10 + j);
}

int main() {
  sycl::queue queue;
  int *data = sycl::malloc_shared<int>(64, queue);
  kernels(queue, data);
  identifiers(queue);
  states(queue);
  images(queue);
  queries(queue);
  constants(queue, data);
  offsets(queue, data);
  // Never launched: no device has such groups.
  if (data[63] == 12345)
    queue.parallel_for<impossible_name>(
        sycl::nd_range<3>({1024, 1024, 1024}, {1024, 1024, 1024}),
        [=](sycl::nd_item<3>) [[sycl::reqd_work_group_size(1024, 1024, 1024)]] { data[0] = 0; });
  if (data[63] == 12346)
    queue.parallel_for<huge_name>(sycl::range<1>(1),
                                  [=](sycl::id<1>) [[sycl::reqd_work_group_size(std::size_t(-1))]] { data[0] = 0; });
  sycl::free(data, queue);
  return pass();
}
