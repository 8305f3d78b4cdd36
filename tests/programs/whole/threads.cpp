// Sixteen threads launch the same fifty kernels at the same time; each kernel is translated once.
#include <sycl/sycl.hpp>

#include <thread>
#include <utility>
#include <vector>

#include "../check.hpp"

constexpr int kernels = 50, thread_count = 16, size = 257;

template <int Number> static void launch(sycl::queue &queue, int *out) {
  queue.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { out[i] = out[i] * 3 + Number; });
}

template <int... Numbers> static void launch_all(sycl::queue &queue, int *out, std::integer_sequence<int, Numbers...>) {
  (launch<Numbers>(queue, out), ...);
}

static void work(int *failures) {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(size, queue);
  queue.memset(out, 0, size * sizeof(int));
  launch_all(queue, out, std::make_integer_sequence<int, kernels>());
  queue.wait();
  unsigned expected = 0;
  for (unsigned number = 0; number < kernels; ++number)
    expected = expected * 3 + number;
  for (int i = 0; i < size; ++i)
    *failures += static_cast<unsigned>(out[i]) != expected;
  sycl::free(out, queue);
}

int main() {
  setenv("SINTER_JIT_MODE", "sync", 1); // One code for each kernel, so that they can be counted.
  int failures[thread_count] = {};
  std::vector<std::thread> threads;
  for (int number = 0; number < thread_count; ++number)
    threads.emplace_back(work, &failures[number]);
  for (std::thread &thread : threads)
    thread.join();
  for (const int count : failures)
    CHECK_EQUAL(count, 0);
  sinter_statistics statistics{};
  statistics.struct_size = sizeof(statistics);
  CHECK(sinter_get_statistics(&statistics) == SINTER_SUCCESS);
  CHECK_EQUAL(statistics.translated, kernels);
  CHECK_EQUAL(statistics.launches, kernels * thread_count);
  return pass();
}
