// The captures of a callable decide where it runs, and never what it computes.
// memory: auto shared
// options: --stdpar
#include "where.hpp"

#include <array>
#include <execution>
#include <memory>

static int global_factor = 3;
static std::array<int, 4> global_table = {1, 2, 3, 4};

struct Owner {
  int *values;
  int size;
  long sum() const {
    return std::transform_reduce(std::execution::par_unseq, values, values + size, 0L, std::plus<>(),
                                 [this](int value) { return long(value) * size; });
  }
};

int main() {
  const bool interposed = is_interposed();
  std::vector<int> a(10000), b(10000);
  std::iota(a.begin(), a.end(), 0);
  const auto by = [&](int factor) {
    for (std::size_t i = 0; i != a.size(); ++i)
      if (b[i] != a[i] * factor)
        return false;
    return true;
  };
  const auto multiply = [&](auto f) { std::transform(std::execution::par_unseq, a.begin(), a.end(), b.begin(), f); };

  // Everything lies on the heap, or in the callable.
  CHECK(runs_on_device([&] { multiply([factor = 2](int x) { return x * factor; }); }) && by(2));
  int *const in = a.data(), *const out = b.data();
  CHECK(runs_on_device([&] {
    std::for_each_n(std::execution::par_unseq, in, 10000, [=](int &x) { out[&x - in] = x * 5; });
  }));
  CHECK(by(5));

  // A global by its address, and the stack by reference.
  int *address = &global_factor;
  CHECK(runs_on_device([&] { multiply([address](int x) { return x * *address; }); }) != interposed && by(3));
  auto *table = &global_table;
  CHECK(runs_on_device([&] { multiply([table](int x) { return x * (*table)[3]; }); }) != interposed && by(4));
  int local = 7;
  CHECK(runs_on_device([&] { multiply([&local](int x) { return x * local; }); }) != interposed && by(7));
  CHECK(runs_on_device([&] { multiply([&](int x) { return x * local + 0 * a[0]; }); }) != interposed && by(7));
  // A global by name is left to the C++ library.
  multiply([](int x) { return x * global_factor; });
  CHECK(by(3));

  // Pointers in memory, and an integer that is an address.
  const auto owner = std::make_unique<Owner>(Owner{a.data(), 10000});
  long sum = 0;
  CHECK(runs_on_device([&] { sum = owner->sum(); }));
  CHECK(sum == 9999L * 5000 * 10000);
  int **const behind = static_cast<int **>(std::malloc(sizeof(int *)));
  *behind = &local;
  CHECK(runs_on_device([&] { multiply([behind](int x) { return x * **behind; }); }) != interposed && by(7));
  const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(&local);
  CHECK(runs_on_device([&] {
          multiply([number](int x) { return x * *reinterpret_cast<const int *>(number); });
        }) != interposed &&
        by(7));
  std::free(behind);

  // Arrays that are not on the heap.
  int stack[1000];
  CHECK(runs_on_device([&] { std::fill(std::execution::par_unseq, stack, stack + 1000, 9); }) != interposed);
  CHECK(std::count(std::execution::par_unseq, stack, stack + 1000, 9) == 1000);

  // Results of algorithms do not depend on the stack.
  long total = 0;
  CHECK(runs_on_device([&] { total = std::reduce(std::execution::par_unseq, a.begin(), a.end(), 0L); }));
  CHECK(total == 9999L * 5000);
  auto found = a.end();
  CHECK(runs_on_device([&] { found = std::find(std::execution::par_unseq, a.begin(), a.end(), 777); }));
  CHECK(found - a.begin() == 777);
  CHECK(runs_on_device([&] { std::sort(std::execution::par_unseq, b.begin(), b.end(), std::greater<>()); }));
  CHECK(std::is_sorted(b.begin(), b.end(), std::greater<>()));
  return pass();
}
