// The address of a constant or function is that of the program: a kernel has copies of its own, so
// code that stores or compares one stays on the host. Code that only reads through one does not.
// options: --stdpar
// devices: host
#include <algorithm>
#include <array>
#include <new>
#include <numeric>

#include "offloaded.hpp"

struct Node {
  const Node *next;
};
static const Node nil{nullptr};
static constexpr int table[4] = {3, 1, 4, 1};
static constexpr const char *names[2] = {"odd", "even"};
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }

struct Base {
  virtual ~Base() = default;
  virtual int value() const { return 1; }
};
struct Derived : Base {
  int value() const override { return 7; }
};

static int largest(const int *first, const int *last) { return *std::max_element(first, last); }

int main() {
  const auto policy = std::execution::par_unseq;
  std::vector<int> a(5000), results(a.size());
  std::iota(a.begin(), a.end(), 0);

  Node list[3] = {{&list[1]}, {&list[2]}, {&nil}};
  on_host([&] {
    return std::transform(policy, a.begin(), a.end(), results.begin(), [&](int) {
      int count = 0;
      for (const Node *node = list; node != &nil && count < 99; node = node->next)
        ++count;
      return count;
    });
  });
  CHECK(std::count(results.begin(), results.end(), 3) == 5000);

  std::vector<const int *> entries(a.size());
  on_host([&] {
    return std::transform(policy, a.begin(), a.end(), entries.begin(), [](int i) { return &table[i % 4]; });
  });
  CHECK(entries[6] == &table[2]);
  std::vector<const char *> chosen(a.size());
  on_host([&] {
    return std::transform(policy, a.begin(), a.end(), chosen.begin(), [](int i) { return names[1 - i % 2]; });
  });
  CHECK(chosen[1] == names[0] && chosen[2] == names[1]);
  std::vector<int (*)(int)> functions(a.size());
  on_host([&] {
    return std::transform(policy, a.begin(), a.end(), functions.begin(), [](int i) { return i % 2 ? &twice : &thrice; });
  });
  CHECK(functions[1] == &twice && functions[2] == &thrice);

  struct alignas(Derived) Room {
    unsigned char bytes[sizeof(Derived)];
  };
  std::vector<Room> rooms(100);
  on_host([&] { return std::for_each(policy, rooms.begin(), rooms.end(), [](Room &room) { new (&room) Derived; }), 0; });
  for (Room &room : rooms) {
    Base *const object = reinterpret_cast<Derived *>(&room);
    CHECK(object->value() == 7 && dynamic_cast<Derived *>(object) != nullptr);
  }

  // Tables that are read, pointers to them that are passed on, and functions that are called.
  on_device([&] {
    return std::transform(policy, a.begin(), a.end(), results.begin(), [](int i) {
      static constexpr std::array<int, 3> more{10, 20, 30};
      return table[i % 4] + largest(table, table + 1 + i % 4) + *std::max_element(more.begin(), more.end());
    });
  });
  CHECK(results[0] == 3 + 3 + 30 && results[2] == 4 + 4 + 30);
  int (*const doubled)(int) = &twice;
  on_device([&] {
    return std::transform(policy, a.begin(), a.end(), results.begin(), [=](int i) { return doubled(i) + thrice(i); });
  });
  CHECK(results[9] == 45);
  return pass();
}
