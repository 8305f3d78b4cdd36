// The SYCL 1.2.1 forms of local memory and barriers, and rarely used parts of local_accessor.
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <class T, int Dimensions>
using local = sycl::accessor<T, Dimensions, sycl::access::mode::read_write, sycl::access::target::local>;

static_assert(std::is_trivially_copyable_v<local<int, 2>>);
static_assert(std::is_trivially_copyable_v<sycl::local_accessor<int, 0>>);
static_assert(std::is_convertible_v<sycl::local_accessor<int, 2>, sycl::local_accessor<const int, 2>>);
static_assert(!std::is_convertible_v<sycl::local_accessor<const int, 2>, sycl::local_accessor<int, 2>>);

using counters = sycl::accessor<int, 1, sycl::access::mode::atomic, sycl::access::target::local>;

// sycl::atomic on local and on global memory.
static void test_atomics(sycl::queue &queue) {
  int *total = sycl::malloc_shared<int>(2, queue);
  total[0] = total[1] = 0;
  queue.submit([&](sycl::handler &cgh) {
    counters shared(sycl::range<1>(2), cgh);
    cgh.parallel_for(sycl::nd_range<1>(128, 32), [=](sycl::nd_item<1> item) {
      const std::size_t mine = item.get_local_id(0);
      if (mine < 2)
        shared[mine].store(0);
      item.barrier(sycl::access::fence_space::local_space);
      shared[mine % 2].fetch_add(static_cast<int>(mine));
      sycl::atomic_fetch_sub(shared[sycl::id<1>(1)], 1);
      item.barrier(sycl::access::fence_space::local_space);
      if (mine < 2) {
        sycl::atomic<int> sum(sycl::global_ptr<int>(total + mine));
        int expected = sum.load();
        while (!sum.compare_exchange_strong(expected, expected + sycl::atomic_load(shared[mine]))) {
        }
      }
    });
  });
  queue.wait();
  CHECK_EQUAL(total[0], 4 * 240);
  CHECK_EQUAL(total[1], 4 * (256 - 32));
  sycl::free(total, queue);
}

// Atomic objects of accessors without dimensions and with two; an accessor that only reads.
static void test_atomic_shapes(sycl::queue &queue) {
  using grid = sycl::accessor<int, 2, sycl::access::mode::atomic, sycl::access::target::local>;
  using one = sycl::accessor<int, 0, sycl::access::mode::atomic, sycl::access::target::local>;
  using reader = sycl::accessor<int, 1, sycl::access::mode::read, sycl::access::target::local>;
  static_assert(std::is_same_v<reader::reference, const int &> && std::is_same_v<grid::reference, int &>);
  int *total = sycl::malloc_shared<int>(2, queue);
  queue.submit([&](sycl::handler &cgh) {
    const grid cells(sycl::range<2>(2, 3), cgh);
    const one sum(cgh);
    CHECK_EQUAL(reader(sycl::range<1>(4), cgh).get_count(), 4);
    CHECK(std::hash<grid>()(cells) == std::hash<grid>()(grid(cells)) && cells == grid(cells));
    cgh.parallel_for(sycl::nd_range<1>(6, 6), [=](sycl::nd_item<1> item) {
      const std::size_t mine = item.get_local_id(0);
      sycl::atomic<int, sycl::access::address_space::local_space> whole = sum;
      cells[mine / 3][mine % 3].store(static_cast<int>(mine));
      if (mine == 0)
        whole.store(0);
      item.barrier();
      whole.fetch_add(cells[1 - mine / 3][2 - mine % 3].load());
      item.barrier();
      if (mine == 0) {
        total[0] = whole.load();
        total[1] = cells[sycl::id<2>(1, 2)].load();
      }
    });
  });
  queue.wait();
  CHECK_EQUAL(total[0], 15);
  CHECK_EQUAL(total[1], 5);
  sycl::free(total, queue);
}

// A kernel without groups may not use local accessors; that its command group has one is no error.
template <class Accessor> static void test_without_groups(sycl::queue &queue) {
  int *done = sycl::malloc_shared<int>(1, queue);
  *done = 0;
  queue.submit([&](sycl::handler &cgh) {
    const sycl::local_accessor<int, 1> unused(sycl::range<1>(4), cgh);
    cgh.single_task([=] { *done = 1; });
  });
  queue.wait();
  CHECK_EQUAL(*done, 1);
  try {
    queue.submit([&](sycl::handler &cgh) {
      const Accessor used(cgh);
      cgh.parallel_for(4, [=](sycl::id<1>) { *done = static_cast<int>(used.byte_size()); });
    });
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::kernel_argument);
  }
  sycl::free(done, queue);
}

int main() {
  sycl::queue queue;
  test_atomics(queue);
  test_without_groups<sycl::local_accessor<int, 0>>(queue);
  test_atomic_shapes(queue);
  constexpr int size = 64, group_size = 16;
  int *out = sycl::malloc_shared<int>(size, queue);
  const sycl::local_accessor<int, 3> nothing;
  CHECK(nothing.empty() && nothing.size() == 0 && nothing.byte_size() == 0);
  queue.submit([&](sycl::handler &cgh) {
    local<int, 1> line(sycl::range<1>(group_size), cgh);
    local<int, 2> grid(sycl::range<2>(4, 4), cgh);
    sycl::local_accessor<int> small(sycl::range<1>(2), cgh), large(sycl::range<1>(group_size), cgh, {});
    small.swap(large);
    CHECK_EQUAL(small.size(), group_size);
    CHECK_EQUAL(line.get_count(), group_size);
    CHECK_EQUAL(grid.get_size(), 16 * sizeof(int));
    CHECK_EQUAL(grid.get_range()[1], 4);
    cgh.parallel_for<class old_spellings>(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
      const int mine = static_cast<int>(item.get_local_id(0)), global = static_cast<int>(item.get_global_id(0));
      int *const plain = line.get_pointer();
      plain[mine] = global;
      grid[mine / 4][mine % 4] = 2 * global;
      small[mine] = 3;
      item.mem_fence(sycl::access::fence_space::local_space);
      item.mem_fence<sycl::access::mode::write>();
      item.barrier();
      const sycl::local_accessor<const int, 2> constant = grid;
      int sum = line.get_pointer()[group_size - 1 - mine] + constant[mine % 4][mine / 4];
      for (const int one : small)
        sum += one;
      for (auto last = small.rbegin(); last != small.rend(); ++last)
        sum -= *last;
      item.barrier(sycl::access::fence_space::global_space);
      out[global] = sum + *(line.get_pointer() + 1) + (small.cend() - small.cbegin());
    });
  });
  queue.wait();
  for (int i = 0; i < size; ++i) {
    const int mine = i % group_size, start = i - mine;
    const int across = 2 * (start + mine % 4 * 4 + mine / 4);
    CHECK_EQUAL(out[i], start + group_size - 1 - mine + across + start + 1 + group_size);
  }
  sycl::free(out, queue);
  return pass();
}
