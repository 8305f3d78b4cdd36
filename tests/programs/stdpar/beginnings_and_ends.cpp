// Algorithms in which objects begin and end.
// options: --stdpar
// devices: host
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "offloaded.hpp"

// Says by whom it was made.
struct Traced {
  int value;
  int *ended;

  Traced() : value(-1), ended(nullptr) {}
  Traced(int v, int *e) : value(v), ended(e) {}
  Traced(const Traced &other) : value(other.value + 1000), ended(other.ended) {}
  Traced(Traced &&other) noexcept : value(other.value + 2000), ended(other.ended) { other.value = 0; }
  Traced &operator=(const Traced &) = default;
  ~Traced() {
    if (ended != nullptr)
      ++*ended;
  }
};

// Memory without objects.
template <class Type> struct Room {
  explicit Room(std::size_t n) : first(static_cast<Type *>(std::malloc((n + 1) * sizeof(Type)))), last(first + n) {
    std::fill(reinterpret_cast<unsigned char *>(first), reinterpret_cast<unsigned char *>(last), 0x77);
  }
  Room(const Room &) = delete;
  ~Room() { std::free(first); }
  Type *first;
  Type *last;
};

int main() {
  with_policies([](auto policy, std::size_t n) {
    std::vector<int> ended(n);
    std::vector<Traced> made;
    made.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
      made.emplace_back(int(i), &ended[i]);
    const auto run = [&](auto algorithm) { return n != 0 ? on_device(algorithm) : algorithm(); };
    const Room<Traced> room(n);
    Traced *const first = room.first, *const last = room.last;
    const auto all_are = [&](auto value) {
      for (std::size_t i = 0; i < n; ++i)
        CHECK(first[i].value == value(int(i)));
    };
    const auto end_all = [&](int times) {
      run([&] { return std::destroy(policy, first, last), 0; });
      CHECK(std::count(ended.begin(), ended.end(), times) == long(n));
    };
    CHECK(run([&] { return std::uninitialized_copy(policy, made.begin(), made.end(), first); }) == last);
    all_are([](int i) { return i + 1000; });
    end_all(1);
    CHECK(run([&] { return std::uninitialized_copy_n(policy, made.begin(), n, first); }) == last);
    all_are([](int i) { return i + 1000; });
    CHECK(run([&] { return std::destroy_n(policy, first, n); }) == last);
    CHECK(std::count(ended.begin(), ended.end(), 2) == long(n));
    CHECK(run([&] { return std::uninitialized_move(policy, made.begin(), made.end(), first); }) == last);
    all_are([](int i) { return i + 2000; });
    end_all(3);
    CHECK(std::all_of(made.begin(), made.end(), [](const Traced &x) { return x.value == 0; }));
    const auto ends = run([&] { return std::uninitialized_move_n(policy, made.begin(), n, first); });
    CHECK(ends.first == made.end() && ends.second == last);
    all_are([](int) { return 2000; });
    end_all(4);
    run([&] { return std::uninitialized_default_construct(policy, first, last), 0; });
    all_are([](int) { return -1; });
    CHECK(run([&] { return std::uninitialized_default_construct_n(policy, first, n); }) == last);
    run([&] { return std::uninitialized_value_construct(policy, first, last), 0; });
    all_are([](int) { return -1; });
    CHECK(run([&] { return std::uninitialized_value_construct_n(policy, first, n); }) == last);
    std::uninitialized_fill(policy, first, last, Traced(5, nullptr));
    all_are([](int) { return 1005; });

    const Room<double> numbers(n);
    double *const from = numbers.first, *const to = numbers.last;
    run([&] { return std::uninitialized_fill(policy, from, to, 2.5), 0; });
    CHECK(std::count(from, to, 2.5) == long(n));
    CHECK(run([&] { return std::uninitialized_fill_n(policy, from, n, 3); }) == to);
    CHECK(std::count(from, to, 3.0) == long(n));
    std::uninitialized_default_construct(policy, from, to);
    std::destroy(policy, from, to);
    CHECK(std::count(from, to, 3.0) == long(n));
    run([&] { return std::uninitialized_value_construct(policy, from, to), 0; });
    CHECK(std::count(from, to, 0.0) == long(n));

    // Objects that own memory: these constructors and destructors run on the host.
    const std::vector<std::string> words(n % 5000, "a string that is too long to be stored inside");
    const Room<std::string> strings(words.size());
    std::uninitialized_copy(policy, words.begin(), words.end(), strings.first);
    CHECK(std::equal(words.begin(), words.end(), strings.first));
    std::destroy(policy, strings.first, strings.last);
    std::uninitialized_fill_n(policy, strings.first, words.size(), words.empty() ? std::string() : words[0]);
    CHECK(std::equal(words.begin(), words.end(), strings.first));
    std::destroy_n(policy, strings.first, words.size());
  });
  return pass();
}
