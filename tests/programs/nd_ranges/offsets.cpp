// An nd_range with an offset, which SYCL 2020 deprecates.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <int Dims> static void check(sycl::queue &queue, sycl::nd_range<Dims> size) {
  const std::size_t count = size.get_global_range().size();
  std::size_t *out = sycl::malloc_shared<std::size_t>(count * 3, queue);
  int *bad = sycl::malloc_shared<int>(1, queue);
  *bad = 0;
  const sycl::event first = queue.fill(out, std::size_t(0), count * 3);
  const auto write = [=](sycl::nd_item<Dims> item) {
    const std::size_t place = item.get_global_linear_id();
    for (int d = 0; d < Dims; ++d)
      out[place * 3 + d] += item.get_global_id(d) + item.get_global_id()[d];
    const bool right = item.get_offset() == size.get_offset() && item.get_nd_range() == size;
    if (!right)
      sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*bad)++;
  };
  queue.parallel_for(size, first, write);
  queue.submit([&](sycl::handler &cgh) { cgh.parallel_for(size, write); }).wait();
  CHECK(*bad == 0);
  for (std::size_t place = 0; place < count; ++place) {
    std::size_t rest = place;
    for (int d = Dims - 1; d >= 0; --d) {
      const std::size_t index = rest % size.get_global_range()[d] + size.get_offset()[d];
      CHECK_EQUAL(out[place * 3 + d], 4 * index);
      rest /= size.get_global_range()[d];
    }
  }
  sycl::free(out, queue);
  sycl::free(bad, queue);
}

int main() {
  sycl::queue queue;
  check(queue, sycl::nd_range<1>(32, 8, 5));
  check(queue, sycl::nd_range<1>(32, 8, 1000));
  check(queue, sycl::nd_range<1>(32, 8, 0));
  check(queue, sycl::nd_range<2>({8, 6}, {4, 3}, {7, 2}));
  check(queue, sycl::nd_range<3>({2, 4, 3}, {1, 2, 3}, {1, 0, 9}));
  CHECK(sycl::nd_range<1>(8, 4, 8) != sycl::nd_range<1>(8, 4));
  try {
    int *sum = sycl::malloc_shared<int>(1, queue);
    queue.parallel_for(sycl::nd_range<1>(8, 4, 8), sycl::reduction(sum, sycl::plus<int>()),
                       [](sycl::nd_item<1>, auto &total) { total += 1; });
    CHECK(false);
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::feature_not_supported);
  }
  return pass();
}
