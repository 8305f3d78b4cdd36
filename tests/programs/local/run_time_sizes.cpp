// Local memory whose size is known only at the launch, and sizes that are rejected.
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <class F> static sycl::errc error_of(const F &function) {
  try {
    function();
  } catch (const sycl::exception &error) {
    CHECK(error.what()[0] != '\0');
    return static_cast<sycl::errc>(error.code().value());
  }
  return sycl::errc::success;
}

static void rotate(sycl::queue &queue, int *data, std::size_t group_size, std::size_t copies) {
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int, 2> shared(sycl::range<2>(copies, group_size), cgh);
    cgh.parallel_for(sycl::nd_range<1>(group_size * 3, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t mine = item.get_local_id(0);
      for (std::size_t copy = 0; copy < shared.get_range()[0]; ++copy)
        shared[copy][mine] = data[item.get_global_id(0)] + static_cast<int>(copy);
      sycl::group_barrier(item.get_group());
      int sum = 0;
      for (std::size_t copy = 0; copy < shared.get_range()[0]; ++copy)
        sum += shared[copy][(mine + 1) % shared.get_range()[1]];
      data[item.get_global_id(0)] = sum;
    });
  });
}

static void test_sizes(sycl::queue &queue) {
  int *data = sycl::malloc_shared<int>(3 * 512, queue);
  for (const std::size_t group_size : {1, 7, 64, 100, 512})
    for (const std::size_t copies : {1, 2, 5}) {
      for (std::size_t i = 0; i < 3 * group_size; ++i)
        data[i] = static_cast<int>(i);
      rotate(queue, data, group_size, copies);
      queue.wait();
      for (std::size_t i = 0; i < 3 * group_size; ++i) {
        const std::size_t start = i / group_size * group_size, next = start + (i - start + 1) % group_size;
        CHECK_EQUAL(data[i], next * copies + copies * (copies - 1) / 2);
      }
    }
  sycl::free(data, queue);
}

static void test_refusals(sycl::queue &queue) {
  const auto with_accessor = [&](std::size_t elements, const auto &command) {
    return error_of([&] {
      queue.submit([&](sycl::handler &cgh) {
        sycl::local_accessor<double> shared(elements, cgh);
        command(cgh, shared);
      });
    });
  };
  const auto nothing = [](sycl::handler &, const sycl::local_accessor<double> &) {};
  CHECK(with_accessor(std::size_t(1) << 29, nothing) == sycl::errc::memory_allocation);
  CHECK(with_accessor(std::size_t(1) << 61, nothing) == sycl::errc::memory_allocation);
  CHECK(with_accessor(16, nothing) == sycl::errc::success);
  CHECK(with_accessor(16, [](sycl::handler &cgh, const sycl::local_accessor<double> &shared) {
          cgh.single_task([=] { shared[0] = 1; });
        }) == sycl::errc::kernel_argument);
  CHECK(with_accessor(16, [](sycl::handler &cgh, const sycl::local_accessor<double> &shared) {
          cgh.parallel_for(sycl::range<1>(16), [=](sycl::id<1> i) { shared[i] = 1; });
        }) == sycl::errc::kernel_argument);
  // More than the device has, which only the launch detects.
  const std::size_t limit = queue.get_device().get_info<sycl::info::device::local_mem_size>();
  CHECK(with_accessor(limit / sizeof(double) + 1, [](sycl::handler &cgh, const sycl::local_accessor<double> &shared) {
          cgh.parallel_for(sycl::nd_range<1>(16, 16), [=](sycl::nd_item<1> item) { shared[item.get_local_id()] = 1; });
        }) != sycl::errc::success);
  queue.wait();
}

int main() {
  sycl::queue queue;
  test_sizes(queue);
  test_refusals(queue);
  return pass();
}
