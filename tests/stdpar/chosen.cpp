// Says how many kernels ran on the device that SINTER_STDPAR_DEVICE names.
#include <cstdint>
#include <cstdio>
#include <execution>
#include <numeric>
#include <thread>
#include <vector>

#include <sinter/stdpar.h>

static bool is_right() {
  std::vector<int> numbers(50000, 2);
  std::for_each(std::execution::par_unseq, numbers.begin(), numbers.end(), [](int &x) { x += 1; });
  return std::accumulate(numbers.begin(), numbers.end(), 0L) == 150000;
}

int main() {
  bool there = false;
  const bool here = is_right();
  std::thread([&there] { there = is_right(); }).join();
  std::uint64_t chosen = 0;
  if (!here || !there || sinter_stdpar_counts(&chosen, nullptr) != SINTER_SUCCESS)
    return 1;
  std::printf("kernels: %d\n", static_cast<int>(chosen));
  return 0;
}
