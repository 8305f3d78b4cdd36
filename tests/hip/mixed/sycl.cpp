// The unit in SYCL.
#include <sycl/sycl.hpp>

void add_in_sycl(int *values, int count, int by) {
  sycl::queue queue;
  queue.parallel_for(sycl::range<1>(static_cast<size_t>(count)), [=](sycl::id<1> i) { values[i] += by; }).wait();
}
