// Kernels with a kernel_handler parameter, and kernels with generic parameters without one.
// levels: 0 2
#include "shapes.hpp"

int main() {
  sycl::queue queue;
  shared_array<int> out(queue, 64);
  const auto check = [&](int expected) {
    queue.wait();
    for (int i = 0; i < 64; ++i)
      CHECK_EQUAL(out[i], expected + i);
  };
  queue.parallel_for(64, [p = out.get()](int i, sycl::kernel_handler) { p[i] = 1 + i; });
  check(1);
  queue.parallel_for(sycl::range<1>(64), [p = out.get()](auto i) { p[i] = 2 + static_cast<int>(i[0]); });
  check(2);
  queue.parallel_for(sycl::range<1>(64), [p = out.get()](const auto &i, const auto &) {
    p[i] = 3 + static_cast<int>(i[0]);
  });
  check(3);
  queue.parallel_for(sycl::range<2>(8, 8), [p = out.get()](sycl::item<2> i, const sycl::kernel_handler &) {
    p[i.get_linear_id()] = 4 + static_cast<int>(i.get_linear_id());
  });
  check(4);
  queue.parallel_for(sycl::nd_range<1>(64, 16), [p = out.get()](sycl::nd_item<1> i, sycl::kernel_handler) {
    p[i.get_global_id(0)] = 5 + static_cast<int>(i.get_global_id(0));
  });
  check(5);
  queue.single_task([p = out.get()](sycl::kernel_handler) {
    for (int i = 0; i < 64; ++i)
      p[i] = 6 + i;
  });
  check(6);
  return pass();
}
