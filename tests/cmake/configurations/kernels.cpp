#include <sycl/sycl.hpp>

int answer();

int answer() {
  sycl::queue queue;
  int *value = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *value = ANSWER; }).wait();
  const int result = *value;
  sycl::free(value, queue);
  return result;
}
