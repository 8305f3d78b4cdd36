// Algorithms that change, move or copy elements, or leave some out.
// options: --stdpar -Wno-deprecated-declarations
// group-sizes: 256
// devices: host
#include <algorithm>
#include <iterator>
#include <memory>

#include "offloaded.hpp"

struct Record {
  short key;
  int place;
  friend bool operator==(Record x, Record y) { return x.key == y.key && x.place == y.place; }
};

inline short key_of(int x) { return static_cast<short>(x); }
inline short key_of(Record x) { return x.key; }
inline short key_of(const std::pair<short, int> &x) { return x.first; }

inline void set(int &x, short key, int) { x = key; }
inline void set(Record &x, short key, int place) { x = {key, place}; }
inline void set(std::pair<short, int> &x, short key, int place) { x = {key, place}; }

template <class Type> std::vector<Type> values(std::size_t n, std::uint64_t range) {
  const auto keys = numbers<short>(n, range);
  std::vector<Type> result(n);
  for (std::size_t i = 0; i < n; ++i)
    set(result[i], keys[i], int(i));
  return result;
}

// Calls the algorithm with a policy and without one, each time with a copy of the range.
template <class Policy, class Range, class Algorithm>
void same(Policy policy, const Range &range, Algorithm algorithm) {
  Range given = range, wanted = range;
  const auto end = algorithm(given, policy), known = algorithm(wanted);
  CHECK(end - given.begin() == known - wanted.begin());
  CHECK(std::equal(given.begin(), end, wanted.begin()));
}

template <class Policy, class Range> void change(Policy policy, const Range &a) {
  using Type = typename Range::value_type;
  const auto is_odd = [](const auto &x) { return key_of(x) % 2 != 0; };
  const auto is_near = [](const auto &x, const auto &y) { return key_of(x) / 2 == key_of(y) / 2; };
  const Type some = a.empty() ? Type() : a[a.size() / 2], other{};
  same(policy, a, [&](auto &x, auto... p) { return std::replace(p..., x.begin(), x.end(), some, other), x.end(); });
  same(policy, a, [&](auto &x, auto... p) { return std::replace_if(p..., x.begin(), x.end(), is_odd, some), x.end(); });
  same(policy, a, [&](auto &x, auto... p) { return std::reverse(p..., x.begin(), x.end()), x.end(); });
  same(policy, a, [&](auto &x, auto... p) { return std::remove(p..., x.begin(), x.end(), some); });
  same(policy, a, [&](auto &x, auto... p) { return std::remove_if(p..., x.begin(), x.end(), is_odd); });
  same(policy, a, [&](auto &x, auto... p) { return std::unique(p..., x.begin(), x.end()); });
  same(policy, a, [&](auto &x, auto... p) { return std::unique(p..., x.begin(), x.end(), is_near); });
  same(policy, a, [&](auto &x, auto... p) {
    std::stable_partition(p..., x.begin(), x.end(), is_odd);
    return x.end();
  });
  same(policy, a, [&](auto &x, auto... p) { return std::stable_partition(p..., x.rbegin(), x.rend(), is_odd).base(); });
  for (const std::size_t middle : {std::size_t(0), std::size_t(1), a.size() / 3, a.size() - 1, a.size()})
    if (middle <= a.size())
      same(policy, a, [&](auto &x, auto... p) {
        return std::rotate(p..., x.begin(), x.begin() + long(middle), x.end()) != x.begin() + long(x.size() - middle)
                   ? x.begin()
                   : x.end();
      });
  auto partitioned = a;
  const auto end = std::partition(policy, partitioned.begin(), partitioned.end(), is_odd);
  CHECK(end - partitioned.begin() == std::count_if(a.begin(), a.end(), is_odd));
  CHECK(std::all_of(partitioned.begin(), end, is_odd) && std::none_of(end, partitioned.end(), is_odd));
  auto left = a, right = a;
  std::reverse(right.begin(), right.end());
  CHECK(std::swap_ranges(policy, left.begin(), left.end(), right.rbegin()) == right.rend());
  CHECK(left == a && std::equal(right.rbegin(), right.rend(), a.begin()));
}

template <class Policy, class Range> void copy(Policy policy, const Range &a) {
  using Type = typename Range::value_type;
  const auto is_odd = [](const auto &x) { return key_of(x) % 2 != 0; };
  const auto is_near = [](const auto &x, const auto &y) { return key_of(x) / 2 == key_of(y) / 2; };
  const Type some = a.empty() ? Type() : a[a.size() / 2], other{};
  const auto first = a.begin(), last = a.end(), middle = a.begin() + long(a.size() / 3);
  const Range out(a.size());
  same(policy, out, [&](auto &x, auto... p) { return std::move(p..., first, last, x.begin()); });
  same(policy, out, [&](auto &x, auto... p) { return std::replace_copy(p..., first, last, x.begin(), some, other); });
  same(policy, out,
       [&](auto &x, auto... p) { return std::replace_copy_if(p..., first, last, x.begin(), is_odd, some); });
  same(policy, out, [&](auto &x, auto... p) { return std::remove_copy(p..., first, last, x.begin(), some); });
  same(policy, out, [&](auto &x, auto... p) { return std::remove_copy_if(p..., first, last, x.begin(), is_odd); });
  same(policy, out, [&](auto &x, auto... p) { return std::unique_copy(p..., first, last, x.begin()); });
  same(policy, out, [&](auto &x, auto... p) { return std::unique_copy(p..., first, last, x.begin(), is_near); });
  same(policy, out, [&](auto &x, auto... p) { return std::reverse_copy(p..., first, last, x.begin()); });
  same(policy, out, [&](auto &x, auto... p) { return std::rotate_copy(p..., first, middle, last, x.begin()); });
  same(policy, out, [&](auto &x, auto... p) {
    const auto ends = std::partition_copy(p..., first, last, x.begin(), x.rbegin(), is_odd);
    return ends.second.base() == ends.first ? x.end() : x.begin();
  });
}

int main() {
  with_policies([](auto policy, std::size_t n) {
    for (const std::uint64_t range : {3u, 1000u}) {
      change(policy, values<int>(n, range));
      change(policy, values<std::pair<short, int>>(n, range));
      copy(policy, values<Record>(n, range));
    }
    const auto numbers = values<int>(n, 9);
    // All elements stay, or none.
    same(policy, numbers, [&](auto &x, auto... p) { return std::remove(p..., x.begin(), x.end(), 99); });
    same(policy, numbers,
         [&](auto &x, auto... p) { return std::remove_if(p..., x.begin(), x.end(), [](int) { return true; }); });
    // Elements that can only be moved.
    std::vector<std::unique_ptr<int>> owners(n), moved(n);
    for (std::size_t i = 0; i < n; ++i)
      owners[i] = std::make_unique<int>(int(i));
    std::reverse(policy, owners.begin(), owners.end());
    std::rotate(policy, owners.begin(), owners.begin() + long(n / 2), owners.end());
    std::move(policy, owners.begin(), owners.end(), moved.begin());
    CHECK(std::count(owners.begin(), owners.end(), nullptr) == long(n));
    for (std::size_t i = 0; i < n; ++i)
      CHECK(*moved[i] == int(n - 1 - (i + n / 2) % n));
    if (n < 2)
      return;
    std::vector<int> a(n), b(n), c(n);
    std::generate(a.begin(), a.end(), [i = 0]() mutable { return i++ / 2; });
    const auto f = a.begin(), l = a.end(), o = b.begin();
    const auto is_odd = [](int x) { return x % 2 != 0; };
    on_device([&] { return std::replace(policy, f, l, 1, 3), 0; });
    on_device([&] { return std::replace_if(policy, f, l, is_odd, 8), 0; });
    on_device([&] { return std::reverse(policy, f, l), 0; });
    on_device([&] { return std::rotate(policy, f, f + 1, l); });
    on_device([&] { return std::swap_ranges(policy, f, l, o); });
    on_device([&] { return std::move(policy, f, l, o); });
    on_device([&] { return std::replace_copy(policy, f, l, o, 1, 3); });
    on_device([&] { return std::replace_copy_if(policy, f, l, o, is_odd, 8); });
    on_device([&] { return std::remove_copy(policy, f, l, o, 2); });
    on_device([&] { return std::remove_copy_if(policy, f, l, o, is_odd); });
    on_device([&] { return std::unique_copy(policy, f, l, o); });
    on_device([&] { return std::reverse_copy(policy, f, l, o); });
    on_device([&] { return std::rotate_copy(policy, f, f + 1, l, o); });
    on_device([&] { return std::partition_copy(policy, f, l, o, c.begin(), is_odd); });
    on_device([&] { return std::partition(policy, f, l, is_odd); });
    on_device([&] { return std::stable_partition(policy, f, l, is_odd); });
    on_device([&] { return std::remove(policy, f, l, 2); });
    on_device([&] { return std::remove_if(policy, f, l, is_odd); });
    on_device([&] { return std::unique(policy, f, l); });
  });
  return pass();
}
