// C++20: iterators of views, atomic_ref and span in callables.
// options: --stdpar
// standards: c++20
// devices: host
#include <algorithm>
#include <atomic>
#include <numeric>
#include <ranges>
#include <span>

#include "offloaded.hpp"

int main() {
  const std::size_t n = 50000;
  std::vector<int> a(n);
  const auto indices = std::views::iota(std::size_t(0), n);
  const std::span<int> view(a);
  on_device([&] {
    return std::for_each(std::execution::par_unseq, indices.begin(), indices.end(),
                         [view](std::size_t i) { view[i] = int(i); }),
           0;
  });
  CHECK(a[0] == 0 && a[n - 1] == int(n) - 1);
  const auto ints = std::views::iota(0, int(n));
  CHECK(on_device([&] {
          return std::transform_reduce(std::execution::par, ints.begin(), ints.end(), 0L, std::plus<>(),
                                       [](int i) { return long(i); });
        }) == long(n) * (long(n) - 1) / 2);
  const auto squares = a | std::views::transform([](int x) { return x & 7; });
  CHECK(on_device([&] { return std::count(std::execution::par, squares.begin(), squares.end(), 3); }) == long(n) / 8);
  int odd = 0;
  on_device([&] {
    return std::for_each(std::execution::par, a.begin(), a.end(),
                         [&odd](int x) {
                           if (x % 2 != 0)
                             std::atomic_ref<int>(odd).fetch_add(1);
                         }),
           0;
  });
  CHECK(odd == int(n) / 2);
  std::atomic<int> largest = 0;
  std::for_each(std::execution::par, a.begin(), a.end(), [&](int x) {
    for (int seen = largest; seen < x && !largest.compare_exchange_weak(seen, x);) {
    }
  });
  CHECK(largest == int(n) - 1);
  return pass();
}
