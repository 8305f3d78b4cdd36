#include "shared.hpp"

void other(sycl::queue &queue, int *out) {
  add(queue, out, 3);
  queue.parallel_for(sycl::range<1>(100), square<int>{out});
}
