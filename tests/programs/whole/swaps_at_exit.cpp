// Processes end while threads launch kernels whose quick code is being replaced by full code.
// devices: host
#include <sycl/sycl.hpp>

#include <atomic>
#include <thread>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#include "../check.hpp"

namespace {

constexpr int kernels = 24, thread_count = 3, size = 300, processes = 8, status = 7;

template <int Number> unsigned step(unsigned old, unsigned i) {
  unsigned sum = 0;
  for (unsigned k = 0; k < Number % 7 + 3; ++k)
    sum = sum * 31 + k * Number + i;
  return old * 3 + sum;
}

template <int... Numbers>
void launch_all(sycl::queue &queue, unsigned *out, std::integer_sequence<int, Numbers...>) {
  (queue.parallel_for(sycl::range<1>(size),
                      [=](sycl::id<1> i) { out[i] = step<Numbers>(out[i], static_cast<unsigned>(i[0])); }),
   ...);
}

template <int... Numbers> unsigned expected(unsigned i, std::integer_sequence<int, Numbers...>) {
  unsigned value = 0;
  ((value = step<Numbers>(value, i)), ...);
  return value;
}

std::atomic<bool> all_have_run{false};

constexpr auto all = std::make_integer_sequence<int, kernels>();

// Launches until the process ends. A wrong result is another exit status.
void launch_for_ever() {
  sycl::queue queue{sycl::property::queue::in_order()};
  unsigned *out = sycl::malloc_shared<unsigned>(size, queue);
  for (;;) {
    queue.memset(out, 0, size * sizeof(unsigned));
    launch_all(queue, out, all);
    queue.wait();
    for (unsigned i = 0; i < size; ++i)
      if (out[i] != expected(i, all))
        _exit(1);
    all_have_run = true;
  }
}

// Ends a while after all kernels have run quick code.
[[noreturn]] void child(int number) {
  alarm(120);
  for (int thread = 0; thread < thread_count; ++thread)
    std::thread(launch_for_ever).detach();
  while (!all_have_run)
    usleep(1000);
  usleep(static_cast<useconds_t>(number) * 24000);
  if (number % 2 == 0)
    std::exit(status);
  std::quick_exit(status);
}

} // namespace

int main() {
  setenv("SINTER_JIT_MODE", "fallback", 1);
  setenv("SINTER_CACHE", "off", 1);
  for (int number = 0; number < processes; ++number) {
    const pid_t process = fork();
    if (process == 0)
      child(number);
    int ended = 0;
    CHECK(waitpid(process, &ended, 0) == process);
    CHECK(WIFEXITED(ended));
    CHECK_EQUAL(WEXITSTATUS(ended), status);
  }
  return pass();
}
