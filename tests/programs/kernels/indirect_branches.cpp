// Indirect branches in a function that is not inlined, beside the host. GPUs have none.
// levels: 0 2
// devices: host
// rows: 4 16
#include <sycl/sycl.hpp>

#include "../check.hpp"

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

// An interpreter by the addresses of its labels, which is not inlined.
__attribute__((noinline)) static unsigned interprets(unsigned code, unsigned h) {
  static const void *const labels[] = {&&adds, &&multiplies, &&shifts, &&ends};
  for (code |= 3u << 30;; code >>= 2) {
    goto *labels[code & 3];
  adds:
    h += 3;
    continue;
  multiplies:
    h *= 5;
    continue;
  shifts:
    h ^= h >> 3;
    continue;
  ends:
    return h;
  }
}

int main() {
  sycl::queue queue;
  constexpr unsigned size = 1000;
  const auto all = [](unsigned h) {
    unsigned sum = h;
    for (unsigned k = 0; k < h % 3; ++k)
      sum += interprets(h * (k + 1), sum);
    return sum;
  };
  unsigned *data = sycl::malloc_shared<unsigned>(size, queue);
  for (unsigned i = 0; i < size; ++i)
    data[i] = i * 2654435761u;
  queue.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { data[i] = all(data[i]); }).wait();
  for (unsigned i = 0; i < size; ++i)
    CHECK_EQUAL(data[i], all(i * 2654435761u));
  return pass();
}
