// Callables, operations and iterators that are right, but unusual.
// options: --stdpar
// devices: host
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "offloaded.hpp"

// Rounds up what it is given, so that converting a number first changes the sum.
struct Upwards {
  int operator()(int a, int b) const { return a + b; }
  int operator()(int a, double b) const { return a + static_cast<int>(std::ceil(b)); }
  int operator()(double a, int b) const { return b + static_cast<int>(std::ceil(a)); }
  int operator()(double a, double b) const { return static_cast<int>(std::ceil(a)) + static_cast<int>(std::ceil(b)); }
};

// An element that is added to a sum but not one itself.
struct Weight {
  int grams;
};
struct Weigh {
  int operator()(int a, int b) const { return a + b; }
  int operator()(int a, const Weight &b) const { return a + b.grams; }
  int operator()(const Weight &a, int b) const { return a.grams + b; }
  int operator()(const Weight &a, const Weight &b) const { return a.grams + b.grams; }
};

// Not a constant when it is called, and the result refers to it.
struct Lookup {
  int entries[16];
  const int &operator()(int i) { return entries[i & 15]; }
  int operator()(int) const { return -1; }
};

struct Hidden {
  int value;
  friend Hidden operator+(const Hidden &a, const Hidden &b) { return {a.value + b.value}; }
  Hidden *operator&() { return nullptr; }
  const Hidden *operator&() const { return nullptr; }
};

namespace other {
int calls = 0;
// A better match than a function of the same name in a header, if one is looked for here.
template <class Kernel> bool launch(const Kernel &, std::size_t, int) { return ++calls; }
template <class Kernel> bool launch_tiles(const Kernel &, std::size_t) { return ++calls; }
struct Less {
  bool operator()(int a, int b) const { return a < b; }
};
} // namespace other

struct Unique {
  Unique() = default;
  Unique(int number) : number(number) {}
  Unique(const Unique &) = delete;
  Unique(Unique &&) = default;
  Unique &operator=(const Unique &) = delete;
  Unique &operator=(Unique &&) = default;
  int number = 0;
};

int main() {
  const auto policy = std::execution::par_unseq;
  const std::vector<double> halves(10000, 0.5), ones(10000, 1.0);
  CHECK(std::reduce(policy, halves.begin(), halves.end(), 0, Upwards{}) == 10000);
  CHECK(std::transform_reduce(policy, halves.begin(), halves.end(), 0, Upwards{}, [](double x) { return x; }) == 10000);
  CHECK(std::transform_reduce(policy, halves.begin(), halves.end(), ones.begin(), 0, Upwards{},
                              [](double x, double y) { return x * y; }) == 10000);
  std::vector<int> sums(halves.size());
  std::exclusive_scan(policy, halves.begin(), halves.end(), sums.begin(), 0, Upwards{});
  CHECK(sums.back() == 9999);
  std::inclusive_scan(policy, halves.begin(), halves.end(), sums.begin(), Upwards{}, 0);
  CHECK(sums.back() == 10000);
  const std::vector<Weight> weights(10000, {3});
  CHECK(std::reduce(policy, weights.begin(), weights.end(), 0, Weigh{}) == 30000);
  // These stay on the device: the conversion changes nothing.
  const std::vector<int> threes(10000, 3);
  CHECK(on_device([&] { return std::reduce(policy, threes.begin(), threes.end(), 0.5); }) == 30000.5);
  CHECK(on_device([&] { return std::reduce(policy, threes.begin(), threes.end(), 0L); }) == 30000);

  std::vector<int> indices(10000), results(indices.size());
  std::iota(indices.begin(), indices.end(), 0);
  Lookup lookup{};
  for (int i = 0; i < 16; i++)
    lookup.entries[i] = 7 * i;
  on_device([&] { return std::transform(policy, indices.begin(), indices.end(), results.begin(), lookup); });
  for (int i = 0; i < 10000; i++)
    CHECK(results[i] == 7 * (i & 15));

  const std::vector<Hidden> hidden(5, {1});
  std::vector<Hidden> before(hidden.size());
  std::exclusive_scan(policy, hidden.begin(), hidden.end(), before.begin(), Hidden{10});
  CHECK(before.back().value == 14);

  std::vector<int> numbers(indices.rbegin(), indices.rend());
  std::sort(policy, numbers.begin(), numbers.end(), other::Less{});
  CHECK(numbers == indices && other::calls == 0);

  std::vector<Unique> unique(1000);
  for (int i = 0; i < 1000; i++)
    unique[i].number = i * 7 % 1000;
  std::sort(policy, unique.begin(), unique.end(), [](const Unique &a, const Unique &b) { return a.number < b.number; });
  CHECK(unique[999].number == 999);

  // A predicate is asked at most once for each element.
  std::atomic<int> calls{0};
  on_device([&] {
    return std::find_if(policy, indices.begin(), indices.begin() + 64, [&](int i) { return ++calls, i == 63; });
  });
  CHECK(calls <= 64);
  return pass();
}
