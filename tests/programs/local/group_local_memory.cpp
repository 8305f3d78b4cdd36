// Local memory requested by the kernel itself: plain, initialised, for arrays, and in a separate
// function.
// levels: 0 2
// standards: c++17 c++20
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace oneapi = sycl::ext::oneapi;

struct pair {
  pair(int a, double b) : first(a), second(b) {}
  int first;
  double second;
};

struct limits {
  int low, high;
};

struct with_default {
  int value = 41;
};

static int sum_of_group(int value, sycl::nd_item<1> item) {
  const sycl::group<1> group = item.get_group();
  int(&values)[32] = *oneapi::group_local_memory_for_overwrite<int[32]>(group);
  values[item.get_local_id(0)] = value;
  sycl::group_barrier(group);
  int sum = 0;
  for (const int one : values)
    sum += one;
  return sum;
}

int main() {
  sycl::queue queue;
  constexpr int size = 128, group_size = 32;
  int *sums = sycl::malloc_shared<int>(size, queue);
  double *pairs = sycl::malloc_shared<double>(size, queue);
  int *others = sycl::malloc_shared<int>(size, queue);
  int *tables = sycl::malloc_shared<int>(size, queue);
  queue.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
    const int global = static_cast<int>(item.get_global_id(0)), local = static_cast<int>(item.get_local_id(0));
    const sycl::group<1> group = item.get_group();
    const int number = static_cast<int>(item.get_group(0));
    sums[global] = sum_of_group(global, item);

    pair &shared = *oneapi::group_local_memory<pair>(group, number, 0.5 * number);
    pairs[global] = shared.first + shared.second;

    sycl::multi_ptr<int, sycl::access::address_space::local_space> zero = oneapi::group_local_memory<int>(group);
    const limits *both = oneapi::group_local_memory<limits>(group, -number, number).get();
    auto preset = oneapi::group_local_memory_for_overwrite<with_default>(group);
    others[global] = *zero + both->low * 1000 + both->high * 2 + preset->value;

    // A table of zeros except its first elements, and a two-dimensional array beside it.
    auto &table = *oneapi::group_local_memory<int[group_size]>(group, 10, 20);
    int(*grid)[8] = *oneapi::group_local_memory_for_overwrite<int[4][8]>(group);
    grid[local / 8][local % 8] = local;
    auto &vectors = *oneapi::group_local_memory_for_overwrite<sycl::vec<int, 4>[2][16]>(group);
    vectors[local % 2][local / 2] = sycl::vec<int, 4>(local);
    sycl::group_barrier(group);
    tables[global] = table[local] * 100 + grid[3 - local / 8][7 - local % 8] + vectors[1 - local % 2][local / 2].z();
  });
  queue.wait();
  for (int i = 0; i < size; ++i) {
    const int number = i / group_size, local = i % group_size;
    CHECK_EQUAL(sums[i], group_size * (number * group_size) + group_size * (group_size - 1) / 2);
    CHECK_EQUAL(pairs[i], 1.5 * number);
    CHECK_EQUAL(others[i], -number * 1000 + number * 2 + 41);
    const int table = local == 0 ? 10 : local == 1 ? 20 : 0;
    CHECK_EQUAL(tables[i], table * 100 + 31 - local + (local ^ 1));
  }
  sycl::free(sums, queue);
  sycl::free(pairs, queue);
  sycl::free(others, queue);
  sycl::free(tables, queue);
  return pass();
}
