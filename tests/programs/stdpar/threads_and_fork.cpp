// Algorithms of several threads, of a child process, before main and after it.
// options: --stdpar -pthread
// memory: auto shared
#include <algorithm>
#include <numeric>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "offloaded.hpp"

static long sum_to(int n) {
  std::vector<int> a(n);
  std::iota(a.begin(), a.end(), 1);
  std::for_each(std::execution::par_unseq, a.begin(), a.end(), [](int &x) { x *= 2; });
  return std::reduce(std::execution::par, a.begin(), a.end(), 0L);
}

struct Early {
  long sum = sum_to(5000);
  ~Early() {
    if (sum_to(6000) != 6000L * 6001)
      _exit(3);
  }
};
static Early early;

int main() {
  CHECK(early.sum == 5000L * 5001);
  std::vector<std::thread> threads;
  std::vector<long> sums(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&sums, t] {
      for (int round = 0; round < 20; ++round)
        sums[t] = sum_to(10000 + t);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int t = 0; t < 8; ++t)
    CHECK(sums[t] == (10000L + t) * (10001L + t));
  const pid_t child = fork();
  if (child == 0)
    _exit(sum_to(20000) == 20000L * 20001 ? 0 : 1);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(sum_to(20000) == 20000L * 20001);
  return pass();
}
