// Every item of a one-dimensional range runs exactly once, for any size.
#include <sycl/sycl.hpp>

#include "../check.hpp"

int main() {
  sycl::queue queue;
  constexpr std::size_t room = 70000, guard = 64;
  int *counts = sycl::malloc_shared<int>(room + guard, queue);
  for (const std::size_t size : {0, 1, 2, 3, 7, 63, 64, 65, 127, 128, 129, 997, 1000, 1024, 4099, 65536, 65537}) {
    queue.memset(counts, 0, (room + guard) * sizeof(int));
    queue.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { counts[i] += 1 + static_cast<int>(i[0]); }).wait();
    for (std::size_t i = 0; i < size; ++i)
      CHECK_EQUAL(counts[i], i + 1);
    for (std::size_t i = size; i < size + guard; ++i)
      CHECK_EQUAL(counts[i], 0);
  }
  sycl::free(counts, queue);
  return pass();
}
