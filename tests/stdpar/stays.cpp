// Algorithms that stay on the host. A comment at the end of a line says the reason that is given
// for it. With an argument the program calls each of them twice.
#include <algorithm>
#include <cstdio>
#include <execution>
#include <list>
#include <numeric>
#include <string>
#include <vector>

static int by_name;

template <class Policy, class Range> void sort_all(Policy policy, Range &range) {
  std::sort(policy, range.begin(), range.end()); // stays: `std::sort` with `__gnu_cxx::__normal_it
}

static bool passes() {
  const auto policy = std::execution::par_unseq;
  std::vector<int> a(1000, 1);
  by_name = 0;
  std::for_each(policy, a.begin(), a.end(), [](int x) {
    by_name += x; // stays: the variable `by_name` in device code
  });
  std::for_each(policy, a.begin(), a.end(), [](int &x) {
    const std::vector<int> parts(std::size_t(x), 2); // stays: `operator new(unsigned long)`
    x = std::accumulate(parts.begin(), parts.end(), 0);
  });

  std::list<int> list(10, 1);
  std::for_each(policy, list.begin(), list.end(), [](int &x) { x = 2; }); // stays: `passes()::$_2`:
  const bool are_sorted =
      std::is_sorted(std::execution::par, list.begin(), list.end()); // stays: `std::is_sorted` with
  std::vector<bool> bits(100);
  auto variable = std::execution::par;
  std::fill(variable, bits.begin(), bits.end(), true); // stays: elements of std::vector<bool> share
  std::vector<std::string> words = {"b", "a"};
  sort_all(policy, words);
  const std::string captured = "four";
  std::for_each(policy, a.begin(), a.end(), // stays: `passes()::$_3`: no kernel takes these
                [captured](int &x) { x += static_cast<int>(captured.size()); });

  // These are not mentioned.
  std::for_each(std::execution::seq, list.begin(), list.end(), [](int &x) { x += 1; });
  std::for_each(policy, a.begin(), a.end(), [](int &x) { x += 1; });
  return by_name == 1000 && a[7] == 7 && list.back() == 3 && are_sorted && bits[99] && words[0] == "a";
}

int main(int count, char **) {
  if (!passes() || (count > 1 && !passes()))
    return 1;
  std::puts("PASS");
  return 0;
}
