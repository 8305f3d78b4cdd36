// Inclusive and exclusive scans over groups, with and without an initial value, in linear id order.
// levels: 2
#include "shapes.hpp"

namespace {

template <class T, class Operation, int D>
void check_one(sycl::queue &queue, const sycl::nd_range<D> &shape, Operation operation, T identity) {
  const std::size_t count = shape.get_global_range().size(), width = shape.get_local_range().size();
  const T start = T(2);
  shared_array<T> inclusive(queue, count), inclusive_from(queue, count), exclusive(queue, count),
      exclusive_from(queue, count);
  queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(shape, [=, a = inclusive.get(), b = inclusive_from.get(), c = exclusive.get(),
                                 d = exclusive_from.get()](sycl::nd_item<D> item) {
      const auto group = item.get_group();
      const std::size_t at = position(item);
      const T x = value_at<T>(at);
      a[at] = sycl::inclusive_scan_over_group(group, x, operation);
      b[at] = sycl::inclusive_scan_over_group(group, x, operation, start);
      c[at] = sycl::exclusive_scan_over_group(group, x, operation);
      d[at] = sycl::exclusive_scan_over_group(group, x, start, operation);
    });
  });
  queue.wait();
  for (std::size_t first = 0; first < count; first += width) {
    T plain = identity, started = start;
    for (std::size_t i = first; i < first + width; ++i) {
      CHECK_EQUAL(exclusive[i], plain);
      CHECK_EQUAL(exclusive_from[i], started);
      plain = static_cast<T>(operation(plain, value_at<T>(i)));
      started = static_cast<T>(operation(started, value_at<T>(i)));
      CHECK_EQUAL(inclusive[i], plain);
      CHECK_EQUAL(inclusive_from[i], started);
    }
  }
}

} // namespace

int main() {
  sycl::queue queue;
  for_each_shape(queue, [](sycl::queue &q, const auto &shape) {
    check_one<int>(q, shape, sycl::plus<>(), 0);
    check_one<double>(q, shape, sycl::plus<double>(), 0.0);
  });
  for (const auto &shape : few_lines) {
    check_one<unsigned char>(queue, shape, sycl::plus<>(), 0);
    check_one<unsigned long>(queue, shape, sycl::multiplies<>(), 1);
    check_one<short>(queue, shape, sycl::minimum<>(), 32767);
    check_one<float>(queue, shape, sycl::maximum<>(), -__builtin_inff());
    check_one<unsigned>(queue, shape, sycl::bit_and<>(), ~0u);
    check_one<unsigned>(queue, shape, sycl::bit_xor<>(), 0);
    check_one<bool>(queue, shape, sycl::logical_or<>(), false);
  }
  return pass();
}
