// Loops with compare_exchange, and a list that grows by exchanging pointers.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <class T>
using reference = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>;

struct node {
  node *next;
  int value;
};

template <class T> static void test(sycl::queue &queue) {
  constexpr int size = 2000;
  T *sums = sycl::malloc_shared<T>(3, queue);
  for (int i = 0; i < 3; ++i)
    sums[i] = 0;
  queue.parallel_for(size, [=](int i) {
    const T value = static_cast<T>(i % 50);
    reference<T> weak(sums[0]), strong(sums[1]), once(sums[2]);
    T seen = weak.load();
    while (!weak.compare_exchange_weak(seen, seen + value)) {
    }
    seen = strong.load(sycl::memory_order::acquire);
    while (!strong.compare_exchange_strong(seen, seen + value, sycl::memory_order::acq_rel,
                                           sycl::memory_order::acquire)) {
    }
    T expected = 0;
    once.compare_exchange_strong(expected, static_cast<T>(i + 1), sycl::memory_order::seq_cst);
  });
  queue.wait();
  T sum = 0;
  for (int i = 0; i < size; ++i)
    sum += static_cast<T>(i % 50);
  CHECK_EQUAL(sums[0], sum);
  CHECK_EQUAL(sums[1], sum);
  CHECK(sums[2] >= 1 && sums[2] <= size);
  // A failed comparison returns the current value and changes nothing.
  queue.single_task([=] {
    T expected = 1;
    sums[0] = 8;
    sums[1] = reference<T>(sums[0]).compare_exchange_strong(expected, 3) ? 1 : expected;
  });
  queue.wait();
  CHECK_EQUAL(sums[0], 8);
  CHECK_EQUAL(sums[1], 8);
  sycl::free(sums, queue);
}

static void push_nodes(sycl::queue &queue) {
  constexpr int size = 500;
  node *nodes = sycl::malloc_shared<node>(size, queue);
  node **head = sycl::malloc_shared<node *>(2, queue);
  head[0] = nullptr;
  head[1] = nodes;
  queue.parallel_for(size, [=](int i) {
    nodes[i].value = i;
    sycl::atomic_ref<node *, sycl::memory_order::acq_rel, sycl::memory_scope::device> top(head[0]);
    nodes[i].next = top.load();
    while (!top.compare_exchange_weak(nodes[i].next, nodes + i)) {
    }
    reference<node *> cursor(head[1]);
    cursor += 2;
    cursor--;
  });
  queue.wait();
  CHECK(head[1] == nodes + size);
  int count = 0, sum = 0;
  for (const node *one = head[0]; one; one = one->next) {
    ++count;
    sum += one->value;
  }
  CHECK_EQUAL(count, size);
  CHECK_EQUAL(sum, size * (size - 1) / 2);
  sycl::free(nodes, queue);
  sycl::free(head, queue);
}

int main() {
  sycl::queue queue;
  test<int>(queue);
  test<unsigned long>(queue);
  test<float>(queue);
  test<double>(queue);
  push_nodes(queue);
  return pass();
}
