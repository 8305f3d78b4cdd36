// Threads launch many kernels, and check their results, while quick code is replaced by full code.
// One thread forks, and the children launch too.
// devices: host
#include <sinter/jit.hpp>
#include <sycl/sycl.hpp>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "../check.hpp"

namespace {

constexpr int kernels = 24, thread_count = 4, size = 300;

unsigned long long translated() {
  sinter_statistics statistics{};
  statistics.struct_size = sizeof(statistics);
  CHECK(sinter_get_statistics(&statistics) == SINTER_SUCCESS);
  return statistics.translated;
}

template <int Number> void launch(sycl::queue &queue, unsigned *out) {
  queue.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) {
    unsigned sum = 0;
    for (unsigned k = 0; k < Number % 7 + 3; ++k)
      sum = sum * 31 + k * Number + static_cast<unsigned>(i[0]);
    out[i] = out[i] * 3 + sum;
  });
}

template <int Number> unsigned expected(unsigned old, unsigned i) {
  unsigned sum = 0;
  for (unsigned k = 0; k < Number % 7 + 3; ++k)
    sum = sum * 31 + k * Number + i;
  return old * 3 + sum;
}

template <int... Numbers> void launch_all(sycl::queue &queue, unsigned *out, std::integer_sequence<int, Numbers...>) {
  (launch<Numbers>(queue, out), ...);
}

template <int... Numbers> unsigned expect_all(unsigned i, std::integer_sequence<int, Numbers...>) {
  unsigned value = 0;
  ((value = expected<Numbers>(value, i)), ...);
  return value;
}

constexpr auto all = std::make_integer_sequence<int, kernels>();

int failures() {
  int count = 0;
  sycl::queue queue;
  unsigned *out = sycl::malloc_shared<unsigned>(size, queue);
  queue.memset(out, 0, size * sizeof(unsigned));
  launch_all(queue, out, all);
  queue.wait();
  for (unsigned i = 0; i < size; ++i)
    count += out[i] != expect_all(i, all);
  sycl::free(out, queue);
  return count;
}

int child_failures() {
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    _exit(failures() == 0 ? 0 : 1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}

} // namespace

int main() {
  setenv("SINTER_JIT_MODE", "fallback", 1);
  CHECK_EQUAL(failures(), 0);
  CHECK_EQUAL(child_failures(), 0);
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < thread_count; ++number)
    threads.emplace_back([&] {
      do
        wrong += failures();
      while (!done);
    });
  sinter::wait_for_jit();
  // Whoever waits makes again what a thread of the background does not finish.
  CHECK(translated() >= 2 * kernels);
  done = true;
  for (std::thread &thread : threads)
    thread.join();
  wrong += failures();
  CHECK_EQUAL(wrong.load(), 0);
  return pass();
}
