// Group algorithms accept only SYCL's function objects.
// error: group algorithms combine with SYCL's function objects only
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(1, queue);
  queue.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) {
    *out = sycl::reduce_over_group(item.get_group(), 1, [](int a, int b) { return a + b; });
  });
}
