// Group algorithms on vectors: element by element.
// levels: 2
#include "shapes.hpp"

namespace {

template <class V> V vector_at(std::size_t at) {
  V x;
  for (std::size_t i = 0; i < V::size(); ++i)
    x[static_cast<int>(i)] = static_cast<typename V::element_type>((at + i * 3) % 17);
  return x;
}

template <class V> bool same(const V &a, const V &b) {
  for (std::size_t i = 0; i < V::size(); ++i)
    if (a[static_cast<int>(i)] != b[static_cast<int>(i)])
      return false;
  return true;
}

template <class V> void check(sycl::queue &queue, const sycl::nd_range<1> &shape) {
  const std::size_t count = shape.get_global_range()[0], width = shape.get_local_range()[0];
  shared_array<V> sum(queue, count), before(queue, count), next(queue, count);
  queue.parallel_for(shape, [sum = sum.get(), before = before.get(), next = next.get()](sycl::nd_item<1> item) {
    const std::size_t at = item.get_global_id(0);
    sum[at] = sycl::reduce_over_group(item.get_group(), vector_at<V>(at), sycl::plus<>());
    before[at] = sycl::exclusive_scan_over_group(item.get_group(), vector_at<V>(at), sycl::plus<V>());
    next[at] = sycl::shift_group_left(item.get_group(), vector_at<V>(at));
  });
  queue.wait();
  for (std::size_t first = 0; first < count; first += width) {
    V running(static_cast<typename V::element_type>(0));
    for (std::size_t i = first; i < first + width; ++i) {
      CHECK(same(before[i], running));
      CHECK(i + 1 == first + width || same(next[i], vector_at<V>(i + 1)));
      running = running + vector_at<V>(i);
    }
    for (std::size_t i = first; i < first + width; ++i)
      CHECK(same(sum[i], running));
  }
}

} // namespace

int main() {
  sycl::queue queue;
  for (const auto &shape : lines) {
    check<sycl::int2>(queue, shape);
    check<sycl::float3>(queue, shape);
    check<sycl::double4>(queue, shape);
  }
  return pass();
}
