// An algorithm that is shaped for the groups of a device, and that the device cannot run, begins
// again in the shape of the CPU.
// options: --stdpar
// devices: host
// memory: shared
// group-sizes: 64 256
#include <algorithm>
#include <atomic>
#include <numeric>

#include "where.hpp"

// Kernels of `work` that ran on the CPU instead.
template <class Work> static unsigned long instead(Work work) {
  std::uint64_t before = 0, after = 0, chosen = 0;
  CHECK(sinter_stdpar_counts(&chosen, &before) == SINTER_SUCCESS);
  work();
  CHECK(sinter_stdpar_counts(&chosen, &after) == SINTER_SUCCESS);
  return static_cast<unsigned long>(after - before);
}

int main() {
  const auto policy = std::execution::par_unseq;
  // More than the device gives to a work-item alone, too.
  for (const std::size_t size : {std::size_t(1), std::size_t(1000), std::size_t(100003), std::size_t(5000000)}) {
    std::vector<int> a(size);
    std::iota(a.begin(), a.end(), 0);
    // On the stack, where the device does not reach it.
    const int one = 1;
    const int *const there = &one;
    long sum = 0;
    // On a CPU one kernel adds, and the program adds up its results.
    CHECK(instead([&] {
            sum = std::transform_reduce(policy, a.begin(), a.end(), 0L, std::plus<>(),
                                        [there](int x) { return long(x) + *there; });
          }) == 1);
    CHECK(sum == long(size) * long(size + 1) / 2);
    CHECK(instead([&] { std::for_each(policy, a.begin(), a.end(), [there](int &x) { x += *there; }); }) == 1);
    CHECK(a.front() == 1 && a.back() == int(size));
    CHECK(std::find_if(policy, a.begin(), a.end(), [there](int x) { return x == *there; }) == a.begin());
    // A predicate is called once for each element, wherever its kernels run.
    std::atomic<long> *const calls = new std::atomic<long>(0);
    std::vector<int> kept(size);
    const auto end = std::copy_if(policy, a.begin(), a.end(), kept.begin(), [there, calls](int x) {
      calls->fetch_add(1, std::memory_order_relaxed);
      return x % 2 == *there;
    });
    CHECK(std::size_t(end - kept.begin()) == (size + 1) / 2 && kept[0] == 1);
    CHECK(*calls == long(size));
    delete calls;
    std::vector<long> sums(size);
    std::transform_inclusive_scan(policy, a.begin(), a.end(), sums.begin(), std::plus<>(),
                                  [there](int x) { return long(x) * *there; });
    CHECK(sums.back() == long(size) * long(size + 1) / 2);
    std::sort(policy, a.begin(), a.end(), [there](int x, int y) { return x * *there > y * *there; });
    CHECK(a.front() == int(size) && a.back() == 1);
  }
  // Only the second kernel stores where the device does not reach: the first is not repeated.
  std::vector<int> a(1000);
  std::iota(a.begin(), a.end(), 0);
  std::atomic<long> *const calls = new std::atomic<long>(0);
  int kept[1000];
  int *const end = std::copy_if(policy, a.begin(), a.end(), kept, [calls](int x) {
    calls->fetch_add(1, std::memory_order_relaxed);
    return x % 2 == 0;
  });
  CHECK(end == kept + 500 && kept[499] == 998 && *calls == 1000);
  delete calls;
  return pass();
}
