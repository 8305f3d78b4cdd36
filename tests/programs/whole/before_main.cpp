// A launch before main, from the constructor of a global object.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

static int compute() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *out = 42; }).wait();
  const int result = *out;
  sycl::free(out, queue);
  return result;
}

static const int early = compute();

int main() {
  CHECK_EQUAL(early, 42);
  CHECK_EQUAL(compute(), 42);
  return pass();
}
