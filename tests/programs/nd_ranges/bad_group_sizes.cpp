// A work-group size that is zero, does not divide the range or is too large for the device is
// errc::nd_range, and the message starts with the name of the kernel.
#include <sycl/sycl.hpp>

#include <cstring>

#include "../check.hpp"

template <class Submit> static void must_fail(const char *expected, const Submit &submit) {
  try {
    submit();
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::nd_range);
    CHECK(std::strncmp(error.what(), "kernel `", 8) == 0);
    CHECK(std::strstr(error.what(), expected) != nullptr);
    return;
  }
  CHECK(!"an exception");
}

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(100, queue);
  const auto kernel = [=](sycl::nd_item<1> item) { out[item.get_global_id(0)] = 1; };
  must_fail("work-group size 3 in x does not divide the global size 100",
            [&] { queue.parallel_for(sycl::nd_range<1>(100, 3), kernel); });
  must_fail("work-group size 0 in x is not at least 1", [&] { queue.parallel_for(sycl::nd_range<1>(100, 0), kernel); });
  must_fail("size 2 in x (dimension 1 ", [&] {
    queue.submit([&](sycl::handler &handler) {
      handler.parallel_for(sycl::nd_range<2>({4, 9}, {2, 2}), [=](sycl::nd_item<2>) { out[0] = 1; });
    });
  });
  const std::size_t limit = queue.get_device().get_info<sycl::info::device::max_work_group_size>();
  CHECK(limit >= 256);
  must_fail("exceeds the device's", [&] {
    queue.parallel_for(sycl::nd_range<1>(2 * limit, 2 * limit), kernel);
    queue.wait();
  });
  const std::size_t huge = std::size_t(1) << 32;
  must_fail("exceeds the device's", [&] { queue.parallel_for(sycl::nd_range<1>(huge, huge), kernel); });
  must_fail("size 0 in z", [&] {
    queue.parallel_for(sycl::nd_range<3>({4, 4, 4}, {0, 0, 0}), [=](sycl::nd_item<3>) { out[0] = 1; });
  });
  must_fail("size 0 in x", [&] {
    queue.parallel_for(sycl::nd_range<1>(100, 0), sycl::reduction(out, sycl::plus<int>()),
                       [=](sycl::nd_item<1>, auto &sum) { sum += 1; });
  });
  // The queue still works.
  queue.parallel_for(sycl::nd_range<1>(100, 4), kernel).wait();
  for (int i = 0; i < 100; ++i)
    CHECK_EQUAL(out[i], 1);
  sycl::free(out, queue);
  return pass();
}
