// `par` permits a callable to take a lock. A device whose work-items make no progress of their own
// leaves such an algorithm to the CPU.
// options: --stdpar
#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

#include <sinter/stdpar.h>

#include "offloaded.hpp"

static std::uint64_t on_cpu_instead() {
  std::uint64_t instead = 0;
  CHECK(sinter_stdpar_counts(nullptr, &instead) == SINTER_SUCCESS);
  return instead;
}

int main() {
  const auto policy = std::execution::par;
  const auto lock = std::make_unique<std::atomic<int>>(0);
  const auto sum = std::make_unique<long>(0);
  std::vector<int> ones(20000, 1);

  const auto exchange = [lock = lock.get(), sum = sum.get()](int x) {
    while (lock->exchange(1, std::memory_order_acquire)) {
    }
    *sum += x;
    lock->store(0, std::memory_order_release);
  };
  on_device([&] { return std::for_each(policy, ones.begin(), ones.end(), exchange), 0; });
  CHECK(*sum == 20000);

  // One that looks before it tries.
  const auto look = [lock = lock.get(), sum = sum.get()](int x) {
    for (;;) {
      while (lock->load(std::memory_order_relaxed) != 0) {
      }
      int expected = 0;
      if (lock->compare_exchange_weak(expected, 1, std::memory_order_acquire))
        break;
    }
    *sum += x;
    lock->store(0, std::memory_order_release);
  };
  on_device([&] { return std::for_each(policy, ones.begin(), ones.end(), look), 0; });
  CHECK(*sum == 40000);
  const auto counted = [look, sum = sum.get()](int x) {
    look(x);
    return x == 1;
  };
  CHECK(on_device([&] { return std::count_if(policy, ones.begin(), ones.end(), counted); }) == 20000);
  CHECK(*sum == 60000);

  // These wait for nobody, and stay where they are.
  const std::uint64_t before = on_cpu_instead();
  const auto add = [sum = lock.get()](int x) { sum->fetch_add(x, std::memory_order_relaxed); };
  on_device([&] { return std::for_each(policy, ones.begin(), ones.end(), add), 0; });
  const auto repeat = [sum = lock.get()](int x) {
    int known = sum->load(std::memory_order_relaxed);
    while (!sum->compare_exchange_weak(known, known + x, std::memory_order_relaxed)) {
    }
  };
  on_device([&] { return std::for_each(policy, ones.begin(), ones.end(), repeat), 0; });
  CHECK(*lock == 40000);
  CHECK(on_device([&] { return std::reduce(policy, ones.begin(), ones.end(), 0L); }) == 20000);
  CHECK(on_device([&] { return std::find(policy, ones.begin(), ones.end(), 2); }) == ones.end());
  CHECK(on_cpu_instead() == before);
  return pass();
}
