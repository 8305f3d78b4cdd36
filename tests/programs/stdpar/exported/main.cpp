// Callables that call functions of another file.
// options: --stdpar
// sources: other.cpp
// memory: auto shared
#include "functions.hpp"

#include <algorithm>
#include <numeric>

#include "../offloaded.hpp"

int main() {
  const auto policy = std::execution::par_unseq;
  std::vector<int> numbers(5000);
  std::iota(numbers.begin(), numbers.end(), 0);
  on_device([&] { return std::for_each(policy, numbers.begin(), numbers.end(), [](int &x) { x = thrice(x); }), 0; });
  CHECK(numbers[4999] == 14997);
  const std::vector<int> weights = {1, 2, 3, 4};
  const int *const table = weights.data();
  long expected = 0;
  for (const int x : numbers)
    expected += weighted(table, x);
  CHECK(on_device([&] {
          return std::transform_reduce(policy, numbers.begin(), numbers.end(), 0L, std::plus<>(),
                                       [table](int x) { return weighted(table, x); });
        }) == expected);
  // Nothing says that devices have it.
  on_host([&] { return std::for_each(policy, numbers.begin(), numbers.end(), [](int &x) { x = plain(x); }), 0; });
  CHECK(numbers[4999] == 14998);
  return pass();
}
