// Kernels that are launched for the first time while the process exits: by the destructor of a
// global and by an exit handler, with other handlers registered before and after.
#include <sycl/sycl.hpp>

#include <cstdlib>

#include "../programs/check.hpp"

namespace {

template <int Number> void launch() {
  sycl::queue queue;
  int *data = sycl::malloc_shared<int>(64, queue);
  queue.parallel_for(64, [=](sycl::id<1> i) { data[i] = Number + static_cast<int>(i[0]); }).wait();
  CHECK_EQUAL(data[63], Number + 63);
  sycl::free(data, queue);
}

int launches = 0;

template <int Number> void count() {
  launch<Number>();
  ++launches;
}

struct Global {
  ~Global() {
    count<1>();
    if (launches == 3)
      pass();
    std::fflush(stdout);
  }
} global;

} // namespace

int main() {
  CHECK(std::atexit(count<2>) == 0);
  launch<3>();
  CHECK(std::atexit(count<4>) == 0);
  return 0;
}
