// Captures that clang's hipstdpar forbids on some devices: its argument names one of them.
//
// In: the name. Out: PASS if the result is that of a loop. A block that the program allocates is
// the range of each algorithm.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <execution>
#include <memory>
#include <numeric>
#include <vector>

#include <sinter/stdpar.h>

static int factor = 3;
static std::array<int, 64> offsets;

static std::vector<int> numbers(std::size_t size) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

// True if `numbers` were scaled by `factor`, and `offsets` added to them.
static bool are_scaled(const std::vector<int> &values) {
  for (int i = 0; i != 5000; ++i)
    if (values[static_cast<unsigned>(i)] != i * 3 + i % 64 * 10)
      return false;
  return true;
}

// The callable says the name of a variable of the program, and changes another one.
static bool global_by_name() {
  std::vector<int> values = numbers(5000);
  std::for_each(std::execution::par_unseq, values.begin(), values.end(),
                [](int &x) { x = x * factor + offsets[static_cast<unsigned>(x) % 64]; });
  return are_scaled(values);
}

// It has addresses of such variables.
static bool global_by_address() {
  std::vector<int> values = numbers(5000);
  std::for_each(std::execution::par_unseq, values.begin(), values.end(),
                [by = &factor, table = offsets.data()](int &x) { x = x * *by + table[x % 64]; });
  return are_scaled(values);
}

// It has a reference to the stack, to read from and to write to.
static bool stack_by_reference() {
  std::vector<int> values = numbers(5000);
  int addend = 7, last = 0;
  std::for_each(std::execution::par_unseq, values.begin(), values.end(), [&addend, &last](int &x) {
    if (x == 4999)
      last = x;
    x += addend;
  });
  for (int i = 0; i != 5000; ++i)
    if (values[static_cast<unsigned>(i)] != i + 7)
      return false;
  return last == 4999;
}

// It has all that the function has, by reference: containers, an array, and another callable.
static bool whole_capture() {
  const std::vector<int> values = numbers(5000);
  std::vector<int> results(5000);
  const int weights[4] = {1, 2, 3, 4};
  int size = 5000;
  const auto weighted = [&](int x) { return x * weights[x & 3]; };
  std::for_each(std::execution::par_unseq, values.begin(), values.end(), [&](int x) {
    results[static_cast<unsigned>(x)] = weighted(x) + values[static_cast<unsigned>(size - 1 - x)] * 3;
  });
  for (int i = 0; i != 5000; ++i)
    if (results[static_cast<unsigned>(i)] != i * (i % 4 + 1) + (4999 - i) * 3)
      return false;
  return true;
}

// All of it by value, with a pointer to the heap.
struct worker {
  int by = 3;
  int *results;
  void run(const std::vector<int> &values) const {
    const std::array<int, 4> weights = {1, 2, 3, 4};
    std::for_each(std::execution::par_unseq, values.begin(), values.end(),
                  [=, *this](int x) { results[x] = x * by + weights[static_cast<unsigned>(x) % 4]; });
  }
};
static bool whole_capture_by_value() {
  const std::vector<int> values = numbers(5000);
  std::vector<int> results(5000);
  worker{3, results.data()}.run(values);
  for (int i = 0; i != 5000; ++i)
    if (results[static_cast<unsigned>(i)] != i * 3 + i % 4 + 1)
      return false;
  return true;
}

// An object on the heap has pointers: one leads to the heap, or to the stack.
struct owner {
  const int *weights;
  std::vector<int> results;
  void run(const std::vector<int> &values) {
    std::for_each(std::execution::par_unseq, values.begin(), values.end(),
                  [this](int x) { results[static_cast<unsigned>(x)] = x * weights[x % 4]; });
  }
};
static bool runs(const int *weights) {
  const std::vector<int> values = numbers(5000);
  const auto object = std::make_unique<owner>(owner{weights, std::vector<int>(5000)});
  object->run(values);
  for (int i = 0; i != 5000; ++i)
    if (object->results[static_cast<unsigned>(i)] != i * (i % 4 + 1))
      return false;
  return true;
}
static bool pointer_in_object() {
  const std::vector<int> weights = {1, 2, 3, 4};
  return runs(weights.data());
}
static bool pointer_in_object_to_stack() {
  const int weights[4] = {1, 2, 3, 4};
  return runs(weights);
}

// Says where the launches ran.
static int pass() {
  std::uint64_t chosen = 0, instead = 0;
  if (sinter_stdpar_counts(&chosen, &instead) != SINTER_SUCCESS)
    return 2;
  std::printf("on the device: %d, instead on the CPU: %d\nPASS\n", static_cast<int>(chosen), static_cast<int>(instead));
  return 0;
}

int main(int count, char **arguments) {
  for (int i = 0; i != 64; ++i)
    offsets[static_cast<unsigned>(i)] = i * 10;
  const struct {
    const char *name;
    bool (*passes)();
  } all[] = {{"global_by_name", global_by_name},
             {"global_by_address", global_by_address},
             {"stack_by_reference", stack_by_reference},
             {"whole_capture", whole_capture},
             {"whole_capture_by_value", whole_capture_by_value},
             {"pointer_in_object", pointer_in_object},
             {"pointer_in_object_to_stack", pointer_in_object_to_stack}};
  for (const auto &one : all)
    if (count == 2 && std::strcmp(arguments[1], one.name) == 0 && one.passes())
      return pass();
  return 1;
}
