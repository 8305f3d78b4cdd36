// Algorithms that stay on the host. A comment says the reason that is given for the line behind it.
// With an argument the program calls each of them twice.
#include <algorithm>
#include <cstdio>
#include <execution>
#include <list>
#include <numeric>
#include <string>
#include <vector>

static int by_name;

template <class Policy, class Range> void sort_all(Policy policy, Range &range) {
  // stays: `std::sort` with `__gnu_cxx::__normal_iterator<std::_
  std::sort(policy, range.begin(), range.end());
}

static bool passes() {
  const auto policy = std::execution::par_unseq;
  std::vector<int> a(1000, 1);
  by_name = 0;
  std::for_each(policy, a.begin(), a.end(), [](int x) {
    // stays: the variable `by_name` in device code
    by_name += x;
  });
  std::for_each(policy, a.begin(), a.end(), [](int &x) {
    // stays: `operator new(unsigned long)`, which no
    const std::vector<int> parts(static_cast<std::size_t>(x), 2);
    x = std::accumulate(parts.begin(), parts.end(), 0);
  });

  std::list<int> list(10, 1);
  // stays: `passes()::$_2`: `std::_List_iterator<int>` is no random access iterator
  std::for_each(policy, list.begin(), list.end(), [](int &x) { x = 2; });
  // stays: `std::is_sorted` with `std::_List_iterator<int>`
  const bool are_sorted = std::is_sorted(std::execution::par, list.begin(), list.end());
  std::vector<bool> bits(100);
  auto variable = std::execution::par;
  // stays: elements of std::vector<bool> share bytes
  std::fill(variable, bits.begin(), bits.end(), true);
  std::vector<std::string> words = {"b", "a"};
  sort_all(policy, words);
  const std::string captured = "four";
  // stays: `passes()::$_3`: no kernel takes these iterators
  std::for_each(policy, a.begin(), a.end(), [captured](int &x) { x += static_cast<int>(captured.size()); });

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
