// Child processes call an algorithm while other threads of the parent do so for the first time: its
// kernels are being translated, and nothing waits for threads that do not exist in the child.
// options: --stdpar -pthread
// devices: host
#include <algorithm>
#include <atomic>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "offloaded.hpp"

// A kernel of its own for each number.
template <int Number> static bool add() {
  std::vector<int> v(1000, 1);
  std::for_each(std::execution::par_unseq, v.begin(), v.end(), [](int &x) { x += Number; });
  return v[0] == 1 + Number && v[999] == 1 + Number;
}

template <int Number> static void round() {
  std::atomic<bool> stop{false};
  std::atomic<int> begun{0};
  const auto work = [&] {
    do {
      ++begun;
      CHECK(add<Number>());
    } while (!stop);
  };
  std::thread one(work), other(work);
  while (begun == 0) {
  }
  for (int fork_number = 0; fork_number < 4; ++fork_number) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      _exit(add<Number>() ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  stop = true;
  one.join();
  other.join();
}

int main() {
  round<1>();
  round<2>();
  round<3>();
  round<4>();
  round<5>();
  round<6>();
  return pass();
}
