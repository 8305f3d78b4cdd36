// error: conflicting_sizes.cpp:4
#include <sycl/sycl.hpp>

[[sycl::reqd_work_group_size(8)]] static void eight(int *out) { *out = 8; }

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(1, queue);
  const sycl::nd_range<1> size(16, 16);
  queue.parallel_for(size, [=](sycl::nd_item<1>) [[sycl::reqd_work_group_size(16)]] { eight(out); });
  queue.wait();
}
