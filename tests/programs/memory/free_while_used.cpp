// free() with a queue waits for commands of the queue that use the memory.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <vector>

#include "../check.hpp"

int main() {
  constexpr std::size_t count = std::size_t(1) << 24;
  sycl::queue queue{sycl::property::queue::in_order()};
  std::vector<int> host(count);
  for (int round = 0; round < 4; ++round) {
    int *device = sycl::malloc_device<int>(count, queue);
    queue.parallel_for(count, [=](sycl::id<1> i) { device[i] = static_cast<int>(i[0]) + round; });
    queue.copy(device, host.data(), count);
    sycl::free(device, queue);
    CHECK_EQUAL(host[0], round);
    CHECK_EQUAL(host[count - 1], static_cast<int>(count) - 1 + round);
  }
  sycl::free(nullptr, queue);
  return pass();
}
