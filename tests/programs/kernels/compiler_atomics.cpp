// The compiler's atomic builtins in a kernel whose work-items run in parallel.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

int main() {
  sycl::queue queue;
  constexpr int size = 100000;
  unsigned *counters = sycl::malloc_shared<unsigned>(4, queue);
  unsigned long *sum = sycl::malloc_shared<unsigned long>(1, queue);
  queue.memset(counters, 0, 4 * sizeof(unsigned));
  queue.memset(sum, 0, sizeof(unsigned long));
  queue.parallel_for(size, [=](int i) {
    __atomic_fetch_add(&counters[0], 1u, __ATOMIC_RELAXED);
    __atomic_fetch_add(sum, static_cast<unsigned long>(i), __ATOMIC_RELAXED);
    __atomic_fetch_or(&counters[1], 1u << (i % 32), __ATOMIC_SEQ_CST);
    unsigned seen = __atomic_load_n(&counters[2], __ATOMIC_RELAXED);
    while (seen < unsigned(i) &&
           !__atomic_compare_exchange_n(&counters[2], &seen, unsigned(i), true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
  });
  queue.wait();
  CHECK_EQUAL(counters[0], size);
  CHECK_EQUAL(*sum, 1ul * size * (size - 1) / 2);
  CHECK_EQUAL(counters[1], ~0u);
  CHECK_EQUAL(counters[2], size - 1);
  sycl::free(counters, queue);
  sycl::free(sum, queue);
  return pass();
}
