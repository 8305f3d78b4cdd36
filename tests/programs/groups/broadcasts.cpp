// group_broadcast in its three forms, with values of many sizes.
// levels: 2
#include "shapes.hpp"

namespace {

struct odd_size {
  double number;
  int part[4];
  char letters[7];
};
struct without_default {
  explicit without_default(long start) : first(start), second(static_cast<short>(start + 1)) {}
  long first;
  short second;
};

template <class T, int D, class Make, class Read>
void check_one(sycl::queue &queue, const sycl::nd_range<D> &shape, const Make &make, const Read &read) {
  const std::size_t count = shape.get_global_range().size(), width = shape.get_local_range().size();
  const sycl::range<D> local = shape.get_local_range();
  sycl::id<D> last;
  for (int d = 0; d < D; ++d)
    last[d] = local[d] - 1;
  shared_array<long> leader(queue, count), middle(queue, count), end(queue, count);
  queue.parallel_for(shape, [=, a = leader.get(), b = middle.get(), c = end.get()](sycl::nd_item<D> item) {
    const std::size_t at = position(item);
    const auto group = item.get_group();
    a[at] = read(sycl::group_broadcast(group, make(at)));
    b[at] = read(sycl::group_broadcast(group, make(at), width / 2));
    c[at] = read(sycl::group_broadcast(group, make(at), last));
  });
  queue.wait();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i / width * width;
    CHECK_EQUAL(leader[i], read(make(first)));
    CHECK_EQUAL(middle[i], read(make(first + width / 2)));
    CHECK_EQUAL(end[i], read(make(first + width - 1)));
  }
}

template <class T, int D> void check_number(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  check_one<T>(queue, shape, [](std::size_t at) { return static_cast<T>(at % 100); },
               [](T x) { return static_cast<long>(x); });
}

} // namespace

int main() {
  sycl::queue queue;
  for_each_shape(queue, [](sycl::queue &q, const auto &shape) {
    check_number<int>(q, shape);
    check_one<odd_size>(
        q, shape,
        [](std::size_t at) {
          const int n = static_cast<int>(at);
          return odd_size{n + 0.5, {n, n + 1, n + 2, n + 3}, {'a', 0, 0, 0, 0, 0, char(n % 50)}};
        },
        [](const odd_size &x) { return long(x.number * 2) + x.part[3] * 1000L + x.letters[0] + x.letters[6] * 7L; });
  });
  for (const auto &shape : few_lines) {
    check_number<bool>(queue, shape);
    check_number<char>(queue, shape);
    check_number<unsigned short>(queue, shape);
    check_number<long long>(queue, shape);
    check_number<float>(queue, shape);
    check_number<double>(queue, shape);
    check_one<sycl::float3>(
        queue, shape, [](std::size_t at) { return sycl::float3(float(at), float(at + 1), float(at + 2)); },
        [](const sycl::float3 &x) { return long(x.x() + 1000 * x.z()); });
    check_one<without_default>(queue, shape, [](std::size_t at) { return without_default(long(at)); },
                               [](const without_default &x) { return x.first * 3 + x.second; });
    int none = 0;
    check_one<int *>(queue, shape, [p = &none](std::size_t at) { return p + at; },
                     [p = &none](int *x) { return long(x - p); });
  }
  return pass();
}
