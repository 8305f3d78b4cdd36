// reduce_over_group: every function object and type, in groups of one to three dimensions.
// levels: 2
#include "shapes.hpp"

namespace {

template <class T, class Operation, int D>
void check_one(sycl::queue &queue, const sycl::nd_range<D> &shape, Operation operation) {
  const std::size_t count = shape.get_global_range().size(), width = shape.get_local_range().size();
  shared_array<T> plain(queue, count), started(queue, count);
  queue.parallel_for(shape, [=, plain = plain.get(), started = started.get()](sycl::nd_item<D> item) {
    const std::size_t at = position(item);
    plain[at] = sycl::reduce_over_group(item.get_group(), value_at<T>(at), operation);
    started[at] = sycl::reduce_over_group(item.get_group(), value_at<T>(at), T(3), operation);
  });
  queue.wait();
  for (std::size_t first = 0; first < count; first += width) {
    T expected = value_at<T>(first);
    for (std::size_t i = first + 1; i < first + width; ++i)
      expected = static_cast<T>(operation(expected, value_at<T>(i)));
    for (std::size_t i = first; i < first + width; ++i) {
      CHECK_EQUAL(plain[i], expected);
      CHECK_EQUAL(started[i], static_cast<T>(operation(T(3), expected)));
    }
  }
}

template <class T, int D> void check_number(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  check_one<T>(queue, shape, sycl::plus<>());
  check_one<T>(queue, shape, sycl::minimum<T>());
  check_one<T>(queue, shape, sycl::maximum<>());
}

template <class T, int D> void check_integer(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  check_number<T>(queue, shape);
  check_one<T>(queue, shape, sycl::multiplies<T>());
  check_one<T>(queue, shape, sycl::bit_and<>());
  check_one<T>(queue, shape, sycl::bit_or<T>());
  check_one<T>(queue, shape, sycl::bit_xor<>());
}

} // namespace

int main() {
  sycl::queue queue;
  for (const auto &shape : few_lines) {
    check_integer<unsigned char>(queue, shape);
    check_integer<unsigned>(queue, shape);
    check_number<signed char>(queue, shape);
    check_number<short>(queue, shape);
    check_number<long>(queue, shape);
    check_number<unsigned long long>(queue, shape);
    check_number<float>(queue, shape);
    check_number<double>(queue, shape);
    check_one<bool>(queue, shape, sycl::logical_and<>());
    check_one<bool>(queue, shape, sycl::logical_or<bool>());
    check_one<int>(queue, shape, sycl::logical_and<int>());
  }
  for_each_shape(queue, [](sycl::queue &q, const auto &shape) {
    check_one<int>(q, shape, sycl::plus<int>());
    check_one<float>(q, shape, sycl::maximum<float>());
  });
  return pass();
}
