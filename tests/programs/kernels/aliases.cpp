// Kernels are correct for all pointers, independent of earlier launches: to different allocations,
// to the same one, into the middle of one, and loaded from memory.
#include <sycl/sycl.hpp>

#include <vector>

#include "../check.hpp"

namespace {

constexpr int size = 64;

// Reads its own writes if the pointers alias.
void walk(const int *in, int *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = in[n / 2] + in[i % 3] + i;
}

void check(sycl::queue &queue, int *memory, int in, int out, int *other) {
  std::vector<int> expected(2 * size), expected_other(2 * size);
  for (int i = 0; i < 2 * size; ++i) {
    expected_other[i] = other[i] = 5 * i;
    expected[i] = memory[i] = 3 * i;
  }
  std::vector<int> &target = memory == other ? expected : expected_other;
  walk(expected.data() + in, target.data() + out, size);
  const int *from = memory + in;
  int *to = other + out;
  queue.single_task([=] { walk(from, to, size); }).wait();
  for (int i = 0; i < 2 * size; ++i) {
    CHECK_EQUAL(memory[i], expected[i]);
    if (memory != other)
      CHECK_EQUAL(other[i], expected_other[i]);
  }
}

// The pointer in the table aliases the parameter.
void check_table(sycl::queue &queue, int *memory, int *unused) {
  int **table = sycl::malloc_shared<int *>(1, queue);
  table[0] = memory;
  memory[0] = 1;
  queue.single_task([=] {
         int sum = 0;
         for (int i = 0; i < 4; ++i) {
           table[0][0] += memory[0];
           unused[i] = sum += memory[0];
         }
       }).wait();
  CHECK_EQUAL(memory[0], 16);
  CHECK_EQUAL(unused[3], 2 + 4 + 8 + 16);
  sycl::free(table, queue);
}

// The end of an allocation may be the start of the next one.
void check_ends(sycl::queue &queue) {
  constexpr int count = 1024;
  int *rows[6];
  for (int *&row : rows)
    row = sycl::malloc_device<int>(count, queue);
  int *result = sycl::malloc_shared<int>(1, queue);
  for (int *row : rows) {
    int *end = row + count;
    queue.single_task([=] {
           int sum = 0;
           for (int i = 0; i < 8; ++i) {
             row[count - 1] = i + 1;
             sum += end[-1];
           }
           *result = sum;
         }).wait();
    CHECK_EQUAL(*result, 36);
  }
  for (int *row : rows)
    sycl::free(row, queue);
  sycl::free(result, queue);
}

// Group barriers between stores of some items and loads of others.
void check_items(sycl::queue &queue, int *a, int *b) {
  queue.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> item) {
         const int i = int(item.get_local_id(0));
         for (int round = 0; round < 3; ++round) {
           a[i] = i + round;
           sycl::group_barrier(item.get_group());
           b[i] = a[(i + 1) % size];
           sycl::group_barrier(item.get_group());
         }
       }).wait();
  for (int i = 0; i < size; ++i)
    CHECK_EQUAL(b[i], (i + 1) % size + 2);
}

} // namespace

int main() {
  sycl::queue queue{sycl::property::queue::in_order()};
  int *a = sycl::malloc_shared<int>(2 * size, queue), *b = sycl::malloc_shared<int>(2 * size, queue);
  for (int round = 0; round < 2; ++round) {
    check(queue, a, 0, 0, b);
    check(queue, a, 0, 0, a);
    check(queue, a, 4, 0, a);
    check(queue, a, 0, 4, b);
    check(queue, b, 0, 1, b);
    check(queue, b, 0, 0, a);
  }
  check_table(queue, a, b);
  check_items(queue, a, b);
  check_ends(queue);
  sycl::free(a, queue);
  sycl::free(b, queue);
  return pass();
}
