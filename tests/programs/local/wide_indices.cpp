// Atomics in local memory that a group shares across barriers: at indices of 64 bits, on numbers of
// 64 bits, and in one of two arrays.
// levels: 0 2
// rows: 4 16
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <class Number>
using counter = sycl::atomic_ref<Number, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                                 sycl::access::address_space::local_space>;

constexpr std::size_t bins = 64, group = 256, groups = 4, size = 20000;

static std::uint64_t hashed(std::size_t i) { return i * 0x9e3779b97f4a7c15u; }

template <class Number> void counts(sycl::queue &queue) {
  std::uint64_t *data = sycl::malloc_shared<std::uint64_t>(size, queue), expected[2 * bins] = {};
  Number *result = sycl::malloc_shared<Number>(2 * bins * groups, queue);
  for (std::size_t i = 0; i < size; ++i) {
    data[i] = hashed(i);
    ++expected[(i % 2) * bins + (data[i] >> 58)];
  }
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<Number> even(bins, cgh), odd(bins, cgh);
    cgh.parallel_for(sycl::nd_range<1>(group * groups, group), [=](sycl::nd_item<1> item) {
      const std::size_t mine = item.get_local_id(0);
      if (mine < bins)
        even[mine] = odd[mine] = 0;
      sycl::group_barrier(item.get_group());
      for (std::size_t i = item.get_global_id(0); i < size; i += group * groups) {
        const auto &table = i % 2 == 0 ? even : odd;
        counter<Number>(table[data[i] >> 58]) += Number(1);
      }
      sycl::group_barrier(item.get_group());
      if (mine < bins) {
        Number *to = result + 2 * bins * item.get_group(0) + mine;
        to[0] = even[mine];
        to[bins] = odd[mine];
      }
    });
  });
  queue.wait();
  for (std::size_t bin = 0; bin < 2 * bins; ++bin) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < groups; ++i)
      sum += result[2 * bins * i + bin];
    CHECK_EQUAL(sum, expected[bin]);
  }
}

int main() {
  sycl::queue queue;
  counts<unsigned>(queue);
  if (queue.get_device().has(sycl::aspect::atomic64))
    counts<std::uint64_t>(queue);
  return pass();
}
