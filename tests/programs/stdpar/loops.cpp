// Algorithms whose elements are independent.
// options: --stdpar
// memory: auto shared
#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <numeric>

#include "offloaded.hpp"

struct Counter {
  int calls = 0;
  void operator()(int &x) { x += ++calls; }
};

int main() {
  with_policies([](auto policy, std::size_t n) {
    std::vector<int> a(n), b(n), c(n);
    std::iota(a.begin(), a.end(), 0);
    if (n != 0)
      on_device([&] { return std::for_each(policy, a.begin(), a.end(), [](int &x) { x += 3; }), 0; });
    for (std::size_t i = 0; i < n; ++i)
      CHECK(a[i] == int(i) + 3);

    // By reference to the stack, as every device that sees the whole memory permits.
    int scale = 5;
    CHECK(on_device(n, [&] {
            return std::transform(policy, a.begin(), a.end(), b.begin(), [&](int x) { return x * scale; });
          }) == b.end());
    CHECK(on_device(n, [&] {
            return std::transform(policy, a.begin(), a.end(), b.rbegin(), c.begin(), std::minus<>());
          }) == c.end());
    for (std::size_t i = 0; i < n; ++i)
      CHECK(b[i] == 5 * (int(i) + 3) && c[i] == a[i] - b[n - 1 - i]);

    CHECK(on_device(n / 2, [&] {
            return std::for_each_n(policy, a.begin(), n / 2, [](int &x) { x = -1; });
          }) == a.begin() + long(n / 2));
    CHECK(std::count(a.begin(), a.end(), -1) == long(n / 2));
    CHECK(std::for_each_n(policy, a.begin(), -1, [](int &x) { x = 9; }) == a.begin());

    on_device(n, [&] { return std::fill(policy, b.begin(), b.end(), 7), 0; });
    CHECK(on_device(n / 3, [&] { return std::fill_n(policy, b.begin(), n / 3, 8); }) == b.begin() + long(n / 3));
    CHECK(std::count(b.begin(), b.end(), 8) == long(n / 3));
    on_device(n, [&] { return std::generate(policy, c.begin(), c.end(), [scale] { return scale; }), 0; });
    CHECK(on_device(n / 3, [&] { return std::generate_n(policy, c.begin(), n / 3, [] { return 1; }); }) ==
          c.begin() + long(n / 3));
    CHECK(std::count(c.begin(), c.end(), 5) == long(n - n / 3));

    CHECK(on_device(n, [&] { return std::copy(policy, b.begin(), b.end(), c.begin()); }) == c.end() && b == c);
    CHECK(on_device(n / 2, [&] { return std::copy_n(policy, a.begin(), n / 2, c.begin()); }) ==
          c.begin() + long(n / 2));
    CHECK(std::equal(a.begin(), a.begin() + long(n / 2), c.begin()));

    std::vector<int> expected(n);
    std::adjacent_difference(b.begin(), b.end(), expected.begin());
    CHECK(on_device(n, [&] { return std::adjacent_difference(policy, b.begin(), b.end(), c.begin()); }) == c.end());
    CHECK(c == expected);
    std::adjacent_difference(b.begin(), b.end(), expected.begin(), std::plus<>());
    on_device(n, [&] { return std::adjacent_difference(policy, b.begin(), b.end(), c.begin(), std::plus<>()); });
    CHECK(c == expected);

    // A function object that counts its calls: each call has a copy of its own.
    std::fill(a.begin(), a.end(), 10);
    std::for_each(policy, a.begin(), a.end(), Counter());
    CHECK(std::count(a.begin(), a.end(), 11) == long(n));

    // Other iterators and element types.
    std::deque<double> d(n, 1.0);
    std::for_each(policy, d.begin(), d.end(), [](double &x) { x += 0.5; });
    CHECK(std::count(d.begin(), d.end(), 1.5) == long(n));
    std::vector<std::array<float, 3>> v(n);
    std::for_each(policy, v.begin(), v.end(), [](auto &x) { x = {1, 2, 3}; });
    CHECK(n == 0 || (v.front()[0] == 1 && v.back()[2] == 3));
    std::vector<std::pair<int, float>> p(n), q(n, {4, 2.5f});
    std::copy(policy, q.begin(), q.end(), p.begin());
    CHECK(p == q);

    auto by_variable = policy;
    std::fill(by_variable, a.begin(), a.end(), 2);
    CHECK(std::count(a.begin(), a.end(), 2) == long(n));
  });
  return pass();
}
