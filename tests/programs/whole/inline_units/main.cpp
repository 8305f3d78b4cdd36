// One inline function and one template with a kernel, used in two translation units.
// sources: other.cpp
// levels: 0 2
#include "shared.hpp"

#include "../../check.hpp"

void other(sycl::queue &queue, int *out);

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(100, queue);
  queue.memset(out, 0, 100 * sizeof(int));
  add(queue, out, 2);
  queue.parallel_for(sycl::range<1>(100), square<int>{out});
  other(queue, out);
  queue.wait();
  for (int i = 0; i < 100; ++i)
    CHECK_EQUAL(out[i], 49);
  sycl::free(out, queue);
  return pass();
}
