#include <sycl/sycl.hpp>

namespace {
struct kernel {
  int *out;
  void operator()(sycl::id<1> i) const { out[i] = 2; }
};
void launch(sycl::queue &queue, int *out) {
  queue.parallel_for<class same>(sycl::range<1>(4), [=](sycl::id<1> i) { out[i] = 20 - int(i[0]); });
}
} // namespace

void other(sycl::queue &queue, int *out) {
  queue.parallel_for(sycl::range<1>(4), kernel{out});
  launch(queue, out + 4);
}
