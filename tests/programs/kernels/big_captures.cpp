// Captures of more than sixteen elements and of several kilobytes, through the queue and through a
// handler.
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <int Count> struct table {
  int values[Count];
  static table make(int factor) {
    table result;
    for (int i = 0; i < Count; ++i)
      result.values[i] = i * factor;
    return result;
  }
};

template <int Count> static void run(sycl::queue &queue) {
  int *out = sycl::malloc_shared<int>(Count, queue);
  const table<Count> numbers = table<Count>::make(3);
  const char tag = 5;
  const table<Count> others = table<Count>::make(-1);
  queue.parallel_for(sycl::range<1>(Count), [=](sycl::id<1> i) {
    out[i] = numbers.values[i] + tag + others.values[Count - 1 - i[0]];
  }).wait();
  for (int i = 0; i < Count; ++i)
    CHECK_EQUAL(out[i], 3 * i + 5 - (Count - 1 - i));
  queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(sycl::range<1>(Count), [=](sycl::id<1> i) { out[i] -= numbers.values[i]; });
  }).wait();
  for (int i = 0; i < Count; ++i)
    CHECK_EQUAL(out[i], 5 - (Count - 1 - i));
  sycl::free(out, queue);
}

int main() {
  sycl::queue queue;
  run<15>(queue);
  run<16>(queue);
  run<17>(queue);
  run<100>(queue);
  run<1000>(queue);
  return pass();
}
