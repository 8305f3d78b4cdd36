// The first call of a child process needs memory for intermediate results, which the device of its
// parent has not.
// options: --stdpar
// memory: auto shared
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include <sys/wait.h>
#include <unistd.h>

#include "offloaded.hpp"

static bool sorts(std::size_t size) {
  std::vector<long> numbers(size);
  std::iota(numbers.rbegin(), numbers.rend(), 0L);
  std::sort(std::execution::par_unseq, numbers.begin(), numbers.end());
  return numbers.front() == 0 && numbers.back() == static_cast<long>(size) - 1 &&
         std::is_sorted(numbers.begin(), numbers.end());
}

static bool adds(std::size_t size) {
  const std::vector<long> ones(size, 1);
  return std::reduce(std::execution::par, ones.begin(), ones.end()) == static_cast<long>(size);
}

template <class Work> static void in_child(Work work) {
  const pid_t child = fork();
  if (child == 0)
    _exit(work() ? 0 : 5);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main() {
  // Groups share parts of a range, as on a GPU.
  CHECK(setenv("SINTER_STDPAR_GROUP_SIZE", "64", 0) == 0);
  CHECK(adds(5000) && sorts(5000));
  // More than what the parent has at hand.
  in_child([] { return sorts(300000) && adds(300000); });
  in_child([] { return adds(2000000); });
  CHECK(adds(300000) && sorts(300000));
  return pass();
}
