// A program with only one kernel, whose compile time is measured.
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue;
  int *value = sycl::malloc_shared<int>(16, queue);
  queue.parallel_for(sycl::range<1>(16), [=](sycl::id<1> i) { value[i] = static_cast<int>(i[0]); }).wait();
  const bool correct = value[15] == 15;
  sycl::free(value, queue);
  return correct ? 0 : 1;
}
