// C++20: shifts, and elements that iterators of views choose.
// options: --stdpar
// standards: c++20
// devices: host
#include <algorithm>
#include <forward_list>
#include <memory>
#include <numeric>
#include <ranges>
#include <string>

#include "offloaded.hpp"

struct Record {
  int key;
  int place;
};

int main() {
  with_policies([](auto policy, std::size_t n) {
    const auto a = numbers<int>(n);
    for (const long count : {0L, 1L, long(n / 3), long(n) - 1, long(n), long(n) + 1}) {
      auto left = a, right = a, wanted = a;
      const auto end = std::shift_left(policy, left.begin(), left.end(), count);
      const auto known = std::shift_left(wanted.begin(), wanted.end(), count);
      CHECK(end - left.begin() == known - wanted.begin() && std::equal(left.begin(), end, wanted.begin()));
      wanted = a;
      const auto first = std::shift_right(policy, right.begin(), right.end(), count);
      const auto known_first = std::shift_right(wanted.begin(), wanted.end(), count);
      CHECK(right.end() - first == wanted.end() - known_first && std::equal(first, right.end(), known_first));
    }
    if (n > 2) {
      std::vector<int> b = a;
      on_device([&] { return std::shift_left(policy, b.begin(), b.end(), 1); });
      on_device([&] { return std::shift_right(policy, b.begin(), b.end(), 1); });
    }
    std::vector<Record> records(n);
    for (std::size_t i = 0; i < n; ++i)
      records[i] = {a[i] % 10, int(i)};
    const auto keys = records | std::views::transform(&Record::key);
    const auto places = records | std::views::transform([](const Record &x) { return x.place; });
    std::vector<int> copy(keys.begin(), keys.end()), out(n), wanted(n);
    CHECK(std::equal(policy, keys.begin(), keys.end(), copy.begin()));
    CHECK(std::is_sorted(policy, places.begin(), places.end()));
    CHECK(std::reverse_copy(policy, places.begin(), places.end(), out.begin()) == out.end());
    CHECK(std::equal(out.rbegin(), out.rend(), places.begin()));
    const auto end = std::unique_copy(policy, keys.begin(), keys.end(), out.begin());
    const auto known = std::unique_copy(copy.begin(), copy.end(), wanted.begin());
    CHECK(end - out.begin() == known - wanted.begin() && std::equal(out.begin(), end, wanted.begin()));
    const auto indices = std::views::iota(std::size_t(0), n);
    CHECK(std::adjacent_find(policy, indices.begin(), indices.end()) == indices.end());
    CHECK(std::includes(policy, indices.begin(), indices.end(), indices.begin(), indices.begin() + long(n / 2)));
  });
  std::forward_list<std::string> words = {"a", "b", "c"};
  std::shift_left(std::execution::par, words.begin(), words.end(), 1);
  CHECK(words.front() == "b");
  std::vector<std::unique_ptr<int>> owners(3);
  owners[2] = std::make_unique<int>(7);
  std::shift_left(std::execution::par_unseq, owners.begin(), owners.end(), 2);
  CHECK(*owners[0] == 7);
  return pass();
}
