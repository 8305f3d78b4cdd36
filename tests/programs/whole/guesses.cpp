// Code for values that launches repeat computes the same as code for all, bit by bit, while threads
// change the values and one forks. The process ends while code is being made. Fused operations
// would be others where a loop is unrolled.
// options: -ffp-contract=off
#include <sinter/jit.hpp>
#include <sycl/sycl.hpp>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "../check.hpp"

namespace {

constexpr int size = 600, margin = 64, kinds = 5, values = 6;

unsigned long long translated() {
  sinter_statistics statistics{};
  statistics.struct_size = sizeof(statistics);
  CHECK(sinter_get_statistics(&statistics) == SINTER_SUCCESS);
  return statistics.translated;
}

// One of some kernels: how often a loop runs, by what is divided, which operation is chosen and how
// far elements lie apart depend on arguments.
void launch(sycl::queue &queue, int kind, int value, const float *in, float *out) {
  const sycl::range<1> range(size);
  const int steps = value + 3, other = (value + 1) % 4;
  switch (kind) {
  case 0:
    queue.parallel_for(range, [=](sycl::id<1> id) {
      const int i = static_cast<int>(id[0]);
      float sum = in[i];
      for (int k = 0; k < value; ++k)
        sum = sum * in[k] + in[i + k];
      out[i] = sum;
    });
    break;
  case 1:
    queue.parallel_for(range, [=](sycl::id<1> id) {
      const int i = static_cast<int>(id[0]), rest = i % (value + 1);
      out[i] = in[rest] / static_cast<float>(value + 3) + in[i / (value + 1)];
    });
    break;
  case 2:
    queue.parallel_for(range, [=](sycl::id<1> id) {
      const int i = static_cast<int>(id[0]);
      float x = in[i];
      for (int step = 0; step < 5; ++step)
        switch (value) {
        case 0: x = x * 0.3f + 1.1f; break;
        case 1: x = x > 1.0f ? x - 0.7f : x + 0.9f; break;
        case 2: x = x / 3.0f; break;
        default: x = x * static_cast<float>(value) - in[i + step]; break;
        }
      out[i] = x;
    });
    break;
  case 3:
    queue.parallel_for(range, [=](sycl::id<1> id) {
      const int i = static_cast<int>(id[0]);
      float x = in[i];
      for (int step = 0; step < steps; ++step)
        switch (step % 2 == 0 ? value : other) {
        case 0: x = x * 0.7f + in[i + step]; break;
        case 1: x = x > in[i + 1] ? x - 0.3f : x + 0.1f; break;
        case 2: x = x / 1.7f; break;
        default: x = x * 0.4f - in[i + step]; break;
        }
      out[i] = x;
    });
    break;
  default:
    queue.parallel_for(range, [=](sycl::id<1> id) {
      const int i = static_cast<int>(id[0]);
      out[i] = in[i * value % size] * 0.1f + in[i] * in[i + 1];
    });
  }
}

using results = std::vector<std::vector<float>>;

class buffers {
public:
  buffers() : in(sycl::malloc_shared<float>(size + margin, queue)), out(sycl::malloc_shared<float>(size, queue)) {
    for (int i = 0; i < size + margin; ++i)
      in[i] = static_cast<float>(static_cast<int>(i * 2654435761u >> 9) - (1 << 22)) / static_cast<float>(1 << (i % 21));
  }
  ~buffers() {
    sycl::free(in, queue);
    sycl::free(out, queue);
  }
  buffers(const buffers &) = delete;
  buffers &operator=(const buffers &) = delete;

  std::vector<float> result(int kind, int value) {
    queue.fill(out, 0.0f, size);
    launch(queue, kind, value, in, out);
    queue.wait();
    return std::vector<float>(out, out + size);
  }

private:
  sycl::queue queue{sycl::property::queue::in_order()};
  float *in, *out;
};

results all_results() {
  buffers memory;
  results found;
  for (int kind = 0; kind < kinds; ++kind)
    for (int value = 0; value < values; ++value)
      found.push_back(memory.result(kind, value));
  return found;
}

// Launches with values that stay for a while, then change, and some that differ.
int failures(const results &expected, int seed) {
  buffers memory;
  int count = 0;
  for (int round = 0; round < 3; ++round)
    for (int kind = 0; kind < kinds; ++kind)
      for (int launches = 0; launches < 80; ++launches) {
        const int value = launches % 11 == 10 ? launches % values : (seed + round) % values;
        const std::vector<float> found = memory.result(kind, value), &wanted = expected[kind * values + value];
        count += std::memcmp(found.data(), wanted.data(), size * sizeof(float)) != 0;
      }
  return count;
}

int child_failures(const results &expected) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    _exit(failures(expected, 3) == 0 ? 0 : 1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}

} // namespace

int main() {
  setenv("SINTER_JIT_SPECIALIZE", "3", 1);
  const sycl::backend backend = sycl::queue().get_backend();
  const bool is_host = backend == sycl::backend::host;
  // Other drivers do not time kernels.
  const bool has_variants = is_host || backend == sycl::backend::cuda || backend == sycl::backend::hip;
  const results expected = all_results();
  CHECK_EQUAL(failures(expected, 0), 0);
  sinter::wait_for_jit();
  // The kernels for all values, and at least one variant of each.
  CHECK(translated() >= (has_variants ? 2 : 1) * kinds);
  if (is_host)
    CHECK_EQUAL(child_failures(expected), 0);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 3; ++number)
    threads.emplace_back([&wrong, &expected, number] { wrong += failures(expected, number); });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQUAL(wrong.load(), 0);
  // Values that have no code yet.
  failures(expected, 5);
  return pass();
}
