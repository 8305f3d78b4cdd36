// Kernels with an empty cache, launched from two threads, in a program with a sanitizer.
#include <sycl/sycl.hpp>

#include <thread>
#include <vector>

#include "../programs/check.hpp"

namespace {

template <int Factor> void scale() {
  sycl::queue queue;
  std::vector<int> values(1000, 1);
  int *data = values.data();
  queue.parallel_for(values.size(), [=](sycl::id<1> i) { data[i] *= Factor; }).wait();
  CHECK_EQUAL(values[999], Factor);
}

void sum() {
  sycl::queue queue;
  int *data = sycl::malloc_shared<int>(257, queue);
  queue.parallel_for(sycl::nd_range<1>(256, 64), [=](sycl::nd_item<1> item) {
    const int sum = sycl::reduce_over_group(item.get_group(), 1, sycl::plus<>());
    data[item.get_global_id(0)] = sum;
  });
  queue.wait();
  CHECK_EQUAL(data[255], 64);
  sycl::free(data, queue);
}

} // namespace

int main() {
  scale<2>();
  std::thread(scale<3>).join();
  sum();
  return pass();
}
