// Two translation units with different kernels of the same internal names; each launches its own.
// sources: other.cpp
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../../check.hpp"

void other(sycl::queue &queue, int *out);

namespace {
struct kernel {
  int *out;
  void operator()(sycl::id<1> i) const { out[i] = 1; }
};
void launch(sycl::queue &queue, int *out) {
  queue.parallel_for<class same>(sycl::range<1>(4), [=](sycl::id<1> i) { out[i] = 10 + int(i[0]); });
}
} // namespace

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(16, queue);
  queue.parallel_for(sycl::range<1>(4), kernel{out});
  launch(queue, out + 4);
  other(queue, out + 8);
  queue.wait();
  for (int i = 0; i < 4; ++i) {
    CHECK_EQUAL(out[i], 1);
    CHECK_EQUAL(out[4 + i], 10 + i);
    CHECK_EQUAL(out[8 + i], 2);
    CHECK_EQUAL(out[12 + i], 20 - i);
  }
  sycl::free(out, queue);
  return pass();
}
