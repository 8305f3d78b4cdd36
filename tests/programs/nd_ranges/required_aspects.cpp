// Kernels that require aspects: a device that has them runs the kernel, another one is an error
// that names kernel, aspect and device.
// levels: 0 2
#include "../check.hpp"
#include <string>
#include <sycl/sycl.hpp>

using sycl::aspect;

namespace {

class images;
class nothing;
class emulated;
class through_call;
class of_template;
class two;

struct functor {
  int *out;
  [[sycl::device_has(aspect::image)]] void operator()(sycl::item<1> item) const { out[item.get_id(0)] = 1; }
};

[[sycl::device_has(aspect::custom)]] int custom_work(int x) { return x + 1; }

template <class F> std::string failure(F launch) {
  try {
    launch();
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::kernel_not_supported);
    return error.what();
  }
  return "";
}
bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

template <aspect Wanted> void run(sycl::queue &queue, int *out) {
  queue.parallel_for<of_template>(sycl::range<1>(4), [=](sycl::id<1> i) [[sycl::device_has(Wanted)]] { out[i] = 4; });
}

void compatible(sycl::queue &queue, int *out) {
  queue.parallel_for(sycl::range<1>(4), functor{out}).wait();
  CHECK_EQUAL(out[3], 1);
  queue.parallel_for<images>(sycl::range<1>(4), [=](sycl::id<1> i) [[sycl::device_has(aspect::online_compiler,
                                                                                     aspect::queue_profiling)]] {
    out[i] = 2;
  });
  queue.wait();
  CHECK_EQUAL(out[3], 2);
}

void without_aspects(sycl::queue &queue, int *out) {
  queue.parallel_for<nothing>(sycl::range<1>(4), [=](sycl::id<1> i) [[sycl::device_has()]] { out[i] = 3; }).wait();
  CHECK_EQUAL(out[3], 3);
  run<aspect::online_linker>(queue, out);
  queue.wait();
  CHECK_EQUAL(out[3], 4);
}

void missing(sycl::queue &queue, int *out) {
  const sycl::device device = queue.get_device();
  const auto launch = [=, &queue] {
    queue.parallel_for<emulated>(sycl::range<1>(4), [=](sycl::id<1> i) [[sycl::device_has(aspect::emulated)]] {
      out[i] = 5;
    });
  };
  const std::string one = failure(launch);
  CHECK(contains(one, "emulated") && contains(one, "aspect_selector"));
  CHECK(contains(one, device.get_info<sycl::info::device::name>()));
  CHECK(failure(launch) == one);
  const std::string called = failure([&] {
    queue.single_task<through_call>([=] { out[0] = custom_work(5); });
  });
  CHECK(contains(called, "custom") && contains(called, "through_call") && !contains(called, "image"));
  const bool is_gpu = device.is_gpu();
  CHECK_EQUAL(failure([&] {
                queue.single_task<two>([=]() [[sycl::device_has(aspect::fp16, aspect::gpu)]] { out[0] = 6; });
              }).empty(),
              is_gpu);
  queue.wait();
  CHECK_EQUAL(out[0], is_gpu ? 6 : 4);
}

void bundles(const sycl::device &device) {
  CHECK(sycl::is_compatible<nothing>(device) && sycl::is_compatible<of_template>(device));
  CHECK(sycl::is_compatible<functor>(device) && !sycl::is_compatible<emulated>(device));
  CHECK(!sycl::is_compatible<through_call>(device));
  CHECK(sycl::is_compatible<two>(device) == device.has(aspect::gpu));
  const sycl::context context(device);
  CHECK((!sycl::has_kernel_bundle<emulated, sycl::bundle_state::executable>(context)));
  const auto all = sycl::get_kernel_bundle<sycl::bundle_state::input>(context);
  CHECK(all.has_kernel<nothing>() && !all.has_kernel<emulated>());
}

} // namespace

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(4, queue);
  compatible(queue, out);
  without_aspects(queue, out);
  missing(queue, out);
  bundles(queue.get_device());
  sycl::free(out, queue);
  return pass();
}
