// Kernels that read constant tables, strings and constexpr data.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
constexpr double powers[4] = {1.0, 10.0, 100.0, 1000.0};
static constexpr struct {
  int key;
  const char name[8];
} names[] = {{1, "one"}, {2, "two"}, {3, "three"}};

// Addresses in a table, into others.
static const char *const words[] = {"zero", "one", "two", "three"};
static const int *const primes_from[] = {primes + 5, primes, nullptr, primes + 2};

struct holder {
  static constexpr int offset = 40;
  static inline const int table[3] = {4, 5, 6};
};

int main() {
  sycl::queue queue;
  double *out = sycl::malloc_shared<double>(24, queue);
  auto *lengths = sycl::malloc_shared<int>(4, queue);
  queue.parallel_for(24, [=](int i) {
    const char *text = "hello, kernel";
    constexpr int local[] = {9, 8, 7};
    out[i] = primes[i % 8] + powers[i % 4] + names[i % 3].name[0] + names[i % 3].key + holder::offset +
             holder::table[i % 3] + text[i % 13] + local[i % 3];
  }).wait();
  const char *text = "hello, kernel";
  const int local[] = {9, 8, 7};
  for (int i = 0; i < 24; ++i)
    CHECK_EQUAL(out[i], primes[i % 8] + powers[i % 4] + names[i % 3].name[0] + names[i % 3].key + 40 +
                            holder::table[i % 3] + text[i % 13] + local[i % 3]);
  queue.parallel_for(4, [=](int i) {
    int length = 0;
    for (const char *letter = words[i]; *letter; ++letter)
      length += *letter;
    lengths[i] = primes_from[i] ? length * primes_from[i][1] : length;
  }).wait();
  for (int i = 0; i < 4; ++i) {
    int length = 0;
    for (const char *letter = words[i]; *letter; ++letter)
      length += *letter;
    CHECK_EQUAL(lengths[i], primes_from[i] ? length * primes_from[i][1] : length);
  }
  sycl::free(lengths, queue);
  sycl::free(out, queue);
  return pass();
}
