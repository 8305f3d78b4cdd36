// The header and the namespace of SYCL 1.2.1.
#include <CL/sycl.hpp>

#include "../check.hpp"

int main() {
  cl::sycl::queue queue;
  int *out = cl::sycl::malloc_shared<int>(100, queue);
  queue.parallel_for(cl::sycl::range<1>(100), [=](cl::sycl::id<1> i) { out[i] = static_cast<int>(i[0]) * 3; }).wait();
  for (int i = 0; i < 100; ++i)
    CHECK_EQUAL(out[i], i * 3);
  sycl::free(out, queue);
  return pass();
}
