// Algorithms that look for elements, keep some, or put them in order.
// options: --stdpar -Wno-deprecated-declarations
// group-sizes: 256
// memory: auto shared
#include <algorithm>
#include <functional>
#include <limits>

#include "offloaded.hpp"

struct Record {
  short key;
  int place;
  friend bool operator==(Record x, Record y) { return x.key == y.key && x.place == y.place; }
};

template <class Type, class Policy> void sort_numbers(Policy policy, std::size_t n) {
  for (const std::uint64_t range : {std::uint64_t(1), std::uint64_t(100), std::uint64_t(1) << 30}) {
    const auto given = numbers<Type>(n, range);
    auto sorted = given, wanted = given;
    on_device(n, [&] { return std::sort(policy, sorted.begin(), sorted.end()), 0; });
    std::sort(wanted.begin(), wanted.end());
    CHECK(sorted == wanted);
    sorted = given;
    on_device(n, [&] { return std::stable_sort(policy, sorted.begin(), sorted.end(), std::greater<>()), 0; });
    std::stable_sort(wanted.begin(), wanted.end(), std::greater<>());
    CHECK(sorted == wanted);
    sorted = given;
    std::sort(policy, sorted.rbegin(), sorted.rend(), std::less<Type>());
    CHECK(sorted == wanted);
    sorted = given;
    on_device(n, [&] {
      return std::sort(policy, sorted.begin(), sorted.end(), [](Type x, Type y) { return x > y; }), 0;
    });
    CHECK(sorted == wanted);
  }
}

int main() {
  with_sizes([](auto policy, std::size_t n) {
    const auto a = numbers<int>(n);
    for (const std::size_t place : {std::size_t(0), n / 3, n - 1}) {
      if (place >= n)
        continue;
      auto b = std::vector<int>(n, 1);
      std::fill(b.begin() + long(place), b.end(), 2);
      const auto is_two = [](int x) { return x == 2; };
      CHECK(on_device([&] { return std::find(policy, b.begin(), b.end(), 2); }) == b.begin() + long(place));
      CHECK(on_device(n, [&] { return std::find_if(policy, b.begin(), b.end(), is_two); }) == b.begin() + long(place));
      CHECK(on_device(n, [&] {
              return std::find_if_not(policy, b.begin(), b.end(), [](int x) { return x == 1; });
            }) == b.begin() + long(place));
      CHECK(on_device(n, [&] { return std::any_of(policy, b.begin(), b.end(), is_two); }));
      CHECK(!on_device(n, [&] { return std::none_of(policy, b.begin(), b.end(), is_two); }));
      CHECK(on_device(n, [&] { return std::all_of(policy, b.begin(), b.end(), is_two); }) == (place == 0));
    }
    CHECK(std::find(policy, a.begin(), a.end(), 1 << 30) == a.end());
    CHECK(!std::any_of(policy, a.begin(), a.end(), [](int x) { return x == 1 << 30; }));
    CHECK(std::all_of(policy, a.begin(), a.end(), [](int x) { return x != 1 << 30; }));

    std::vector<int> kept(n), wanted(n);
    for (const int bound : {-(1 << 20), 0, 1 << 18, 1 << 20}) {
      const auto is_above = [bound](int x) { return x > bound; };
      const auto end = on_device(n, [&] { return std::copy_if(policy, a.begin(), a.end(), kept.begin(), is_above); });
      const auto known = std::copy_if(a.begin(), a.end(), wanted.begin(), is_above);
      CHECK(end - kept.begin() == known - wanted.begin() && std::equal(kept.begin(), end, wanted.begin()));
    }

    std::vector<Record> records(n), ordered;
    for (std::size_t i = 0; i < n; ++i)
      records[i] = {short(a[i] % 37), int(i)};
    ordered = records;
    const auto by_key = [](Record x, Record y) { return x.key < y.key; };
    on_device(n, [&] { return std::stable_sort(policy, records.begin(), records.end(), by_key), 0; });
    std::stable_sort(ordered.begin(), ordered.end(), by_key);
    CHECK(records == ordered);
  });
  for (const std::size_t n : {2, 100, 2048, 70001}) {
    sort_numbers<signed char>(std::execution::par_unseq, n);
    sort_numbers<unsigned short>(std::execution::par, n);
    sort_numbers<int>(std::execution::par_unseq, n);
    sort_numbers<std::uint64_t>(std::execution::par, n);
    sort_numbers<float>(std::execution::par, n);
    sort_numbers<double>(std::execution::par_unseq, n);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> special(3000, 1.0);
  special[7] = infinity, special[8] = -infinity, special[9] = -0.0, special[10] = 0.0, special[11] = 5e-324;
  std::sort(std::execution::par, special.begin(), special.end());
  CHECK(std::is_sorted(special.begin(), special.end()) && special.front() == -infinity && special.back() == infinity);
  return pass();
}
