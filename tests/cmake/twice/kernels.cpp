// A kernel where sinter-cc compiles this file, a constant elsewhere.
int answer();

#ifdef __SINTER__
#include <sycl/sycl.hpp>

int answer() {
  sycl::queue queue;
  int *value = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *value = 42; }).wait();
  const int result = *value;
  sycl::free(value, queue);
  return result;
}
#else
int answer() { return 7; }
#endif
