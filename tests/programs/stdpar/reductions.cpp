// Algorithms that combine all elements.
// options: --stdpar
// group-sizes: 256
// memory: auto shared
#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>

#include "offloaded.hpp"

// Associative, but not commutative.
struct Affine {
  unsigned a, b;
  friend bool operator==(Affine x, Affine y) { return x.a == y.a && x.b == y.b; }
};

struct Compose {
  Affine operator()(Affine x, Affine y) const { return {x.a * y.a, x.b * y.a + y.b}; }
};

int main() {
  with_policies([](auto policy, std::size_t n) {
    const auto a = numbers<int>(n), b = numbers<int>(n, 1000);
    const auto l = [](int x) { return static_cast<long>(x); };
    long expected = 100;
    for (std::size_t i = 0; i < n; ++i)
      expected += a[i];
    const auto sum = [&] { return std::transform_reduce(policy, a.begin(), a.end(), 100L, std::plus<>(), l); };
    CHECK(on_device(n, sum) == expected);
    CHECK(on_device(n, [&] { return std::reduce(policy, a.begin(), a.end(), 100L); }) == expected);
    CHECK(std::reduce(policy, a.begin(), a.end()) == std::accumulate(a.begin(), a.end(), 0));
    CHECK(std::reduce(policy, a.begin(), a.end(), std::numeric_limits<int>::min(), [](int x, int y) {
            return std::max(x, y);
          }) == std::accumulate(a.begin(), a.end(), std::numeric_limits<int>::min(), [](int x, int y) {
            return std::max(x, y);
          }));
    CHECK(on_device(n, [&] { return std::transform_reduce(policy, a.begin(), a.end(), b.begin(), 0L); }) ==
          std::inner_product(a.begin(), a.end(), b.begin(), 0L));
    CHECK(std::transform_reduce(policy, a.begin(), a.end(), b.begin(), 1u, std::bit_xor<>(), [](int x, int y) {
            return unsigned(x) * unsigned(y);
          }) == std::inner_product(a.begin(), a.end(), b.begin(), 1u, std::bit_xor<>(), [](int x, int y) {
            return unsigned(x) * unsigned(y);
          }));
    const std::vector<std::complex<double>> z(n, {1, 2});
    CHECK(std::reduce(policy, z.begin(), z.end()) == std::complex<double>(double(n), 2.0 * double(n)));
    // The same result each time: the order of operations depends on the number of elements alone.
    const auto f = numbers<float>(n);
    CHECK(std::reduce(policy, f.begin(), f.end()) == std::reduce(policy, f.begin(), f.end()));

    const auto is_odd = [](int x) { return (x & 1) != 0; };
    CHECK(on_device(n, [&] { return std::count_if(policy, a.begin(), a.end(), is_odd); }) ==
          std::count_if(a.begin(), a.end(), is_odd));
    CHECK(on_device(n, [&] { return std::count(policy, b.begin(), b.end(), 7); }) == std::count(b.begin(), b.end(), 7));
    // Few different values, so that there are many equivalent elements.
    const auto few = numbers<short>(n, 5);
    CHECK(on_device(n, [&] { return std::min_element(policy, few.begin(), few.end()); }) ==
          std::min_element(few.begin(), few.end()));
    CHECK(on_device(n, [&] { return std::max_element(policy, few.begin(), few.end()); }) ==
          std::max_element(few.begin(), few.end()));
    CHECK(on_device(n, [&] { return std::minmax_element(policy, few.begin(), few.end()); }) ==
          std::minmax_element(few.begin(), few.end()));
    CHECK(std::min_element(policy, few.begin(), few.end(), std::greater<>()) ==
          std::min_element(few.begin(), few.end(), std::greater<>()));
    CHECK(std::minmax_element(policy, few.begin(), few.end(), std::greater<>()) ==
          std::minmax_element(few.begin(), few.end(), std::greater<>()));

    // Prefix sums, in place too, and in the order of the elements.
    std::vector<long> out(n), wanted(n);
    CHECK(on_device(n, [&] {
            return std::inclusive_scan(policy, a.begin(), a.end(), out.begin(), std::plus<>(), 4L);
          }) == out.end());
    std::inclusive_scan(a.begin(), a.end(), wanted.begin(), std::plus<>(), 4L);
    CHECK(out == wanted);
    on_device(n, [&] { return std::exclusive_scan(policy, a.begin(), a.end(), out.begin(), 4L); });
    std::exclusive_scan(a.begin(), a.end(), wanted.begin(), 4L);
    CHECK(out == wanted);
    out.assign(a.begin(), a.end());
    on_device(n, [&] { return std::inclusive_scan(policy, out.begin(), out.end(), out.begin()); });
    std::inclusive_scan(wanted.begin(), wanted.end(), wanted.begin());
    std::vector<long> again(a.begin(), a.end());
    std::inclusive_scan(again.begin(), again.end(), again.begin());
    CHECK(out == again);
    std::exclusive_scan(policy, out.begin(), out.end(), out.begin(), 1L);
    std::exclusive_scan(again.begin(), again.end(), again.begin(), 1L);
    CHECK(out == again);
    on_device(n, [&] {
      return std::transform_inclusive_scan(policy, a.begin(), a.end(), out.begin(), std::plus<>(), l);
    });
    std::transform_inclusive_scan(a.begin(), a.end(), again.begin(), std::plus<>(), l);
    CHECK(out == again);
    on_device(n, [&] {
      return std::transform_exclusive_scan(policy, a.begin(), a.end(), out.begin(), 7L, std::plus<>(), l);
    });
    std::transform_exclusive_scan(a.begin(), a.end(), again.begin(), 7L, std::plus<>(), l);
    CHECK(out == again);
    std::vector<Affine> maps(n), found(n), known(n);
    for (std::size_t i = 0; i < n; ++i)
      maps[i] = {unsigned(a[i]) | 1, unsigned(b[i])};
    std::inclusive_scan(policy, maps.begin(), maps.end(), found.begin(), Compose());
    std::inclusive_scan(maps.begin(), maps.end(), known.begin(), Compose());
    CHECK(found == known);
    std::exclusive_scan(policy, maps.begin(), maps.end(), found.begin(), Affine{3, 4}, Compose());
    std::exclusive_scan(maps.begin(), maps.end(), known.begin(), Affine{3, 4}, Compose());
    CHECK(found == known);
  });
  return pass();
}
