// A histogram: atomics in local memory first, one addition to global memory per bin and group
// afterwards.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <sycl::access::address_space Space>
using counter = sycl::atomic_ref<unsigned, sycl::memory_order::relaxed,
                                 Space == sycl::access::address_space::local_space ? sycl::memory_scope::work_group
                                                                                   : sycl::memory_scope::device,
                                 Space>;

int main() {
  sycl::queue queue;
  constexpr std::size_t size = 100000, bins = 77, group_size = 128, groups = 9;
  unsigned char *data = sycl::malloc_shared<unsigned char>(size, queue);
  unsigned *counts = sycl::malloc_shared<unsigned>(bins, queue);
  unsigned expected[bins] = {};
  for (std::size_t i = 0; i < size; ++i) {
    data[i] = static_cast<unsigned char>(i * i % 251 % bins);
    ++expected[data[i]];
  }
  queue.memset(counts, 0, bins * sizeof(unsigned));
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<unsigned> local(bins, cgh);
    cgh.parallel_for(sycl::nd_range<1>(groups * group_size, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t mine = item.get_local_id(0);
      for (std::size_t bin = mine; bin < bins; bin += group_size)
        local[bin] = 0;
      sycl::group_barrier(item.get_group());
      for (std::size_t i = item.get_global_id(0); i < size; i += item.get_global_range(0)) {
        counter<sycl::access::address_space::local_space> one(local[data[i]]);
        ++one;
      }
      sycl::group_barrier(item.get_group());
      for (std::size_t bin = mine; bin < bins; bin += group_size)
        counter<sycl::access::address_space::global_space>(counts[bin]).fetch_add(local[bin]);
    });
  });
  queue.wait();
  for (std::size_t bin = 0; bin < bins; ++bin)
    CHECK_EQUAL(counts[bin], expected[bin]);
  sycl::free(data, queue);
  sycl::free(counts, queue);
  return pass();
}
