// Algorithms on sorted ranges, and those that put elements of a rank in their place.
// options: --stdpar -Wno-deprecated-declarations
// group-sizes: 256
// devices: host
#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <tuple>

#include "offloaded.hpp"

// The order does not see the place, so a check sees which of the equivalent elements were taken.
struct Record {
  int key;
  int place;
  friend bool operator==(Record x, Record y) { return x.key == y.key && x.place == y.place; }
};
struct Order {
  bool operator()(Record x, Record y) const { return x.key < y.key; }
  bool operator()(Record x, int y) const { return x.key < y; }
  bool operator()(int x, Record y) const { return x < y.key; }
  bool operator()(int x, int y) const { return x < y; }
};

inline std::vector<Record> sorted_records(std::size_t n, std::uint64_t range, std::size_t skipped) {
  const auto keys = numbers<int>(n + skipped, range);
  std::vector<Record> result(n);
  for (std::size_t i = 0; i < n; ++i)
    result[i] = {keys[i + skipped], int(i)};
  std::stable_sort(result.begin(), result.end(), Order());
  return result;
}

template <class Policy, class Left, class Right, class... Compare>
void operate(Policy policy, const Left &a, const Right &b, Compare... compare) {
  using Type = typename Left::value_type;
  const auto same = [&](auto algorithm) {
    std::vector<Type> out(a.size() + b.size()), wanted = out;
    const auto end = algorithm(out.begin(), policy), known = algorithm(wanted.begin());
    CHECK(end - out.begin() == known - wanted.begin() && out == wanted);
  };
  const auto first = a.begin(), last = a.end();
  const auto other = b.begin(), other_last = b.end();
  same([&](auto out, auto... p) { return std::merge(p..., first, last, other, other_last, out, compare...); });
  same([&](auto out, auto... p) { return std::set_union(p..., first, last, other, other_last, out, compare...); });
  same([&](auto out, auto... p) { return std::set_difference(p..., first, last, other, other_last, out, compare...); });
  same([&](auto out, auto... p) {
    return std::set_intersection(p..., first, last, other, other_last, out, compare...);
  });
  same([&](auto out, auto... p) {
    return std::set_symmetric_difference(p..., first, last, other, other_last, out, compare...);
  });
  CHECK(std::includes(policy, first, last, other, other_last, compare...) ==
        std::includes(first, last, other, other_last, compare...));
  std::vector<Type> every(a.begin(), a.end()), some;
  std::copy_if(a.begin(), a.end(), std::back_inserter(some), [i = 0](const Type &) mutable { return i++ % 3 == 1; });
  CHECK(std::includes(policy, first, last, some.begin(), some.end(), compare...));
  if (!some.empty())
    CHECK(!std::includes(policy, some.begin(), some.end(), first, last, compare...));
  every.insert(every.end(), some.begin(), some.end());
  const auto middle = every.begin() + long(a.size());
  std::vector<Type> wanted(every.size());
  std::merge(every.begin(), middle, middle, every.end(), wanted.begin(), compare...);
  std::inplace_merge(policy, every.begin(), middle, every.end(), compare...);
  CHECK(every == wanted);
}

template <class Type, class Policy> void rank(Policy policy, std::size_t n, std::uint64_t range) {
  const auto a = numbers<Type>(n, range);
  auto ordered = a;
  const auto descends = [](Type x, Type y) { return x > y; };
  std::sort(ordered.begin(), ordered.end());
  for (const std::size_t place : {std::size_t(0), n / 100, n / 2, n - 1, n}) {
    if (place > n)
      continue;
    const long k = long(place), rest = long(n) - k;
    auto b = a;
    std::nth_element(policy, b.begin(), b.begin() + k, b.end());
    if (place < n) {
      CHECK(b[place] == ordered[place]);
      CHECK(std::all_of(b.begin(), b.begin() + k, [&](Type x) { return x <= b[place]; }));
      CHECK(std::all_of(b.begin() + k, b.end(), [&](Type x) { return x >= b[place]; }));
      std::sort(b.begin(), b.end());
      CHECK(b == ordered);
    }
    b = a;
    std::nth_element(policy, b.begin(), b.begin() + k, b.end(), descends);
    CHECK(place == n || b[place] == ordered[n - 1 - place]);
    b = a;
    std::partial_sort(policy, b.begin(), b.begin() + k, b.end());
    CHECK(std::equal(b.begin(), b.begin() + k, ordered.begin()));
    std::sort(b.begin(), b.end());
    CHECK(b == ordered);
    std::partial_sort(policy, b.rbegin(), b.rbegin() + k, b.rend(), descends);
    CHECK(std::equal(b.rbegin(), b.rbegin() + k, ordered.rbegin()));
    std::deque<Type> out(place);
    CHECK(std::partial_sort_copy(policy, a.begin(), a.end(), out.begin(), out.end()) == out.end());
    CHECK(std::equal(out.begin(), out.end(), ordered.begin()));
    CHECK(std::partial_sort_copy(policy, a.begin(), a.begin() + k, b.begin(), b.end(), descends) == b.begin() + k);
    CHECK(std::is_sorted(b.begin(), b.begin() + k, descends));
    CHECK(std::equal(b.begin() + k, b.end(), ordered.end() - rest));
  }
}

int main() {
  with_sizes([](auto policy, std::size_t n) {
    for (const std::size_t m : {std::size_t(0), std::size_t(1), n / 50, n, 2 * n + 1})
      for (const std::uint64_t range : {5u, 1000u, 1u << 30}) {
        auto a = numbers<int>(n, range), b = numbers<int>(m + 7, range);
        b.erase(b.begin(), b.begin() + 7);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
#ifndef FEWER_INSTANCES
        operate(policy, a, b);
        const std::vector<std::pair<int, short>> pairs(n, {3, short(4)});
        operate(policy, pairs, std::deque<std::pair<int, short>>(m, {3, short(4)}));
#endif
        operate(policy, sorted_records(n, range, 0), sorted_records(m, range, 3), Order());
        const std::vector<double> d(b.rbegin(), b.rend());
        std::reverse(a.begin(), a.end());
        operate(policy, d, a, std::greater<>());
      }
    for (const std::uint64_t range : {2u, 100u, 1u << 30}) {
      rank<int>(policy, n, range);
#ifndef FEWER_INSTANCES
      rank<double>(policy, n, range);
#endif
    }
    if (n < 2)
      return;
    // Two types of elements, with an order of both.
    const auto records = sorted_records(n, 100, 0);
    auto keys = numbers<int>(n, 90);
    std::sort(keys.begin(), keys.end());
    std::vector<Record> out(2 * n), wanted(2 * n);
    const auto end = on_device([&] {
      return std::set_intersection(policy, records.begin(), records.end(), keys.begin(), keys.end(), out.begin(),
                                   Order());
    });
    const auto known =
        std::set_intersection(records.begin(), records.end(), keys.begin(), keys.end(), wanted.begin(), Order());
    CHECK(end - out.begin() == known - wanted.begin() && out == wanted);

    const auto f = keys.begin(), l = keys.end();
    std::vector<int> sums(2 * n);
    const auto o = sums.begin();
    CHECK(on_device([&] { return std::includes(policy, f, l, f, l); }));
    CHECK(on_device([&] { return std::merge(policy, f, l, f, l, o); }) == sums.end());
    CHECK(on_device([&] { return std::set_union(policy, f, l, f, l, o); }) - o == long(n));
    CHECK(on_device([&] { return std::set_intersection(policy, f, l, f, l, o); }) - o == long(n));
    CHECK(on_device([&] { return std::set_difference(policy, f, l, f, l, o); }) == o);
    CHECK(on_device([&] { return std::set_symmetric_difference(policy, f, l, f, l, o); }) == o);
    on_device([&] { return std::inplace_merge(policy, f, f + 1, l), 0; });
    on_device([&] { return std::nth_element(policy, f, f + 1, l), 0; });
    on_device([&] { return std::partial_sort(policy, f, l, l), 0; });
    on_device([&] { return std::partial_sort_copy(policy, f, l, o, o + 1); });
  });
  // Orders that are no help: pivots that are the same, and elements that are not numbers.
  std::vector<float> odd(70000, 0.0f);
  std::fill(odd.begin() + 10, odd.begin() + 60000, -1.0f);
  std::nth_element(std::execution::par, odd.begin(), odd.begin() + 60010, odd.end());
  CHECK(odd[60010] == 0 && odd[0] == -1 && odd[59989] == -1);
  return pass();
}
