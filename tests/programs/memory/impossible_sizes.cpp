// Sizes whose products overflow are rejected in every interface that takes some: no size is
// truncated, no command runs.
#include <sycl/sycl.hpp>

#include <cstdint>

#include "../check.hpp"

namespace {

constexpr std::size_t one = 1;

template <class Command> void check_refused(const Command &command, sycl::errc expected = sycl::errc::invalid) {
  try {
    command();
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    if (error.code() != expected)
      std::printf("%s\n", error.what());
    CHECK(error.code() == expected);
  }
}

void check_ranges(sycl::queue &queue, int *data) {
  using sycl::errc;
  const auto sum = sycl::reduction(data, sycl::plus<>());
  const auto over = [&](const auto &size) {
    check_refused([&] { queue.parallel_for(size, sum, [=](auto, auto &total) { total += 1; }); }, errc::nd_range);
    check_refused([&] { queue.parallel_for(size, [=](auto) { data[0] = -1; }); }, errc::nd_range);
  };
  over(sycl::range<2>(one << 33, one << 33));
  over(sycl::range<2>(one << 32, (one << 32) + 1));
  over(sycl::range<3>(one << 22, one << 22, one << 22));
  over(sycl::range<3>(SIZE_MAX, 1, 2));
  over(sycl::nd_range<2>({one << 33, one << 33}, {1, 1}));
  over(sycl::nd_range<2>({one << 32, (one << 32) + 2}, {1, 2}));
  over(sycl::nd_range<3>({one << 30, one << 30, one << 30}, {1 << 30, 1 << 30, 1 << 30}));
  over(sycl::nd_range<1>(one << 33, one << 33));
  check_refused([&] { queue.parallel_for(sycl::nd_range<1>(one << 40, 1), sum, [=](auto, auto &) {}); }, errc::nd_range);
}

void check_empty(sycl::queue &queue, int *data) {
  *data = 5;
  queue.parallel_for(sycl::range<3>(SIZE_MAX, 0, SIZE_MAX), sycl::reduction(data, sycl::plus<>()),
                     [=](sycl::id<3>, auto &total) { total += 1; });
  queue.parallel_for(sycl::range<3>(SIZE_MAX, SIZE_MAX, 0), [=](sycl::id<3>) { *data = -1; }).wait();
  CHECK_EQUAL(*data, 5);
}

void check_rectangles(sycl::queue &queue, int *data) {
  const auto refused = [&](std::size_t pitch, std::size_t width, std::size_t height) {
    check_refused([&] { queue.ext_oneapi_fill2d(data, pitch, 1, width, height); });
    check_refused([&] { queue.ext_oneapi_memset2d(data, pitch, 1, width, height); });
    check_refused([&] { queue.ext_oneapi_memcpy2d(data, pitch, data, pitch, width, height); });
    check_refused([&] { queue.ext_oneapi_copy2d(data, pitch, data, pitch, width, height); });
  };
  refused(one << 62, one << 62, 4);
  refused(one << 62, 1, 4);
  refused(one << 32, one << 32, one << 32);
  refused(SIZE_MAX, SIZE_MAX, SIZE_MAX);
  refused(1, SIZE_MAX / 2, 1);
  check_refused([&] { queue.ext_oneapi_fill2d(data, one << 62, 1, one << 62, 1); });
  check_refused([&] { queue.ext_oneapi_memset2d(data, one << 63, 1, one << 63, 1); });
}

// A representable size that exceeds the largest object.
void check_bytes(sycl::queue &queue, void *data) {
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX / 2 + 1}) {
    check_refused([&] { queue.memcpy(data, data, bytes); });
    check_refused([&] { queue.memset(data, 0, bytes); });
    check_refused([&] { queue.fill(data, 'x', bytes); });
  }
}

void check_allocations(sycl::queue &queue) {
  for (const std::size_t count : {SIZE_MAX, SIZE_MAX / 4, SIZE_MAX / 8 + 1, (one << 62) + 1}) {
    CHECK(!sycl::malloc_device<int>(count, queue) && !sycl::malloc_shared<double>(count, queue));
    CHECK(!sycl::malloc_host<long>(count, queue) && !sycl::aligned_alloc_shared<char>(one << 40, count, queue));
    CHECK(!sycl::malloc_device(count, queue) && !sycl::malloc<int>(count, queue, sycl::usm::alloc::shared));
  }
  CHECK(!sycl::aligned_alloc_shared(one << 63, 8, queue));
  sycl::usm_allocator<int, sycl::usm::alloc::shared> allocator(queue);
  check_refused([&] { allocator.allocate((one << 62) + 1); }, sycl::errc::memory_allocation);
}

} // namespace

int main() {
  struct large {
    char bytes[256];
  };
  sycl::queue queue;
  double *data = sycl::malloc_shared<double>(64, queue);
  large *elements = reinterpret_cast<large *>(data);
  // Eight bytes each: the size of 2^61 + 1 of them would wrap to 8 bytes.
  constexpr std::size_t count = (one << 61) + 1;
  const sycl::event none;
  check_refused([&] { queue.copy(data, data + 32, count); });
  check_refused([&] { queue.copy(data, data + 32, count, none); });
  check_refused([&] { queue.copy(data, data + 32, count, std::vector<sycl::event>{none}); });
  check_refused([&] { queue.submit([&](sycl::handler &group) { group.copy(data, data + 32, count); }); });
  check_refused([&] { queue.fill(data, 1.0, count); });
  check_refused([&] { queue.fill(elements, large(), count); });
  int *numbers = reinterpret_cast<int *>(data);
  check_ranges(queue, numbers);
  check_empty(queue, numbers);
  check_rectangles(queue, numbers);
  check_bytes(queue, data);
  check_allocations(queue);
  queue.wait();
  sycl::free(data, queue);
  return pass();
}
