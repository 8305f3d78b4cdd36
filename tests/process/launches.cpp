// The first launches of a process, on two threads, and repeated launches change none of its state.
#include <sycl/sycl.hpp>

#include <thread>

#include "../programs/check.hpp"
#include "state.hpp"

namespace {

constexpr std::size_t size = 1024;

template <int Factor> void launch() {
  sycl::queue queue;
  int *data = sycl::malloc_shared<int>(size, queue);
  queue.parallel_for(size, [=](sycl::id<1> i) { data[i] = Factor * static_cast<int>(i[0]); }).wait();
  CHECK_EQUAL(data[size - 1], Factor * static_cast<int>(size - 1));
  sycl::free(data, queue);
}

template <int Factor> void check(const char *when) {
  const State before = state();
  launch<Factor>();
  CHECK(same(when, before, state()));
}

} // namespace

int main() {
  make_unusual();
  make_alternate_stack();
  check<2>("the first launch");
  check<2>("the same again");
  std::thread([] {
    make_alternate_stack();
    check<3>("the first launch of another thread");
    check<3>("its launch again");
  }).join();
  return pass();
}
