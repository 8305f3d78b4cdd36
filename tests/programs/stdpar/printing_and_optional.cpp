// printf and std::optional in callables.
// options: --stdpar
// memory: auto shared
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include <unistd.h>

#include "offloaded.hpp"

// The lines that `action` prints, in any order.
template <class Action> static std::multiset<std::string> printed(const Action &action) {
  std::FILE *const file = std::tmpfile();
  CHECK(file != nullptr);
  std::fflush(stdout);
  const int kept = dup(1);
  dup2(fileno(file), 1);
  action();
  std::fflush(stdout);
  dup2(kept, 1);
  close(kept);
  std::multiset<std::string> lines;
  std::rewind(file);
  char line[100];
  while (std::fgets(line, sizeof line, file))
    lines.insert(line);
  std::fclose(file);
  return lines;
}

// None for odd numbers.
static std::optional<int> half(int x) { return x % 2 == 0 ? std::optional<int>(x / 2) : std::nullopt; }

template <class Policy> static void test(Policy policy) {
  std::vector<int> a(5000);
  std::iota(a.begin(), a.end(), 0);
  const auto lines = printed([&] {
    on_device([&] {
      std::for_each(policy, a.begin(), a.end(), [](int &x) {
        if (x % 1000 == 7)
          std::printf("element %d of %s, %.2f\n", x, "five thousand", x / 8.0);
        x += 1;
      });
      return a.front();
    });
  });
  const std::multiset<std::string> expected = {
      "element 7 of five thousand, 0.88\n", "element 1007 of five thousand, 125.88\n",
      "element 2007 of five thousand, 250.88\n", "element 3007 of five thousand, 375.88\n",
      "element 4007 of five thousand, 500.88\n"};
  CHECK(lines == expected && a[4999] == 5000);

  std::vector<std::optional<int>> halves(a.size());
  on_device([&] { return std::transform(policy, a.begin(), a.end(), halves.begin(), half); });
  CHECK(!halves[0] && halves[1] == 1 && !halves[4998] && halves[4999] == 2500);
  const std::optional<int> offset = 10;
  on_device([&] {
    return std::transform(policy, halves.begin(), halves.end(), a.begin(),
                          [offset](const std::optional<int> &x) { return x.value_or(-1) + offset.value(); });
  });
  CHECK(a[0] == 9 && a[1] == 11 && a[4999] == 2510);
  CHECK(on_device([&] { return std::count(policy, halves.begin(), halves.end(), std::nullopt); }) == 2500);
  CHECK(on_device([&] {
          return std::transform_reduce(
              policy, halves.begin(), halves.end(), std::optional<int>(),
              [](const std::optional<int> &x, const std::optional<int> &y) { return x && (!y || *x > *y) ? x : y; },
              [](const std::optional<int> &x) { return x && *x % 2 != 0 ? x : std::nullopt; });
        }) == 2499);
  CHECK(*on_device([&] { return std::max_element(policy, halves.begin(), halves.end()); }) == 2500);
}

int main() {
  test(std::execution::par_unseq);
  test(std::execution::par);
  return pass();
}
