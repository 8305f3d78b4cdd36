// Counts how often each value occurs, with atomics in local memory: histogram [ELEMENTS]
//
// Each work-group counts its part in local memory, where fewer items contend, and adds its counts
// to the result.
#include "sample.hpp"

namespace {

constexpr std::size_t bins = 256, group_size = 256, groups = 64;

template <sycl::access::address_space Space, sycl::memory_scope Scope>
using counter = sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, Scope, Space>;
using local_counter = counter<sycl::access::address_space::local_space, sycl::memory_scope::work_group>;
using global_counter = counter<sycl::access::address_space::global_space, sycl::memory_scope::device>;

void count(sycl::queue &queue, const unsigned char *values, std::size_t size, std::uint32_t *result) {
  queue.memset(result, 0, bins * sizeof *result);
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<std::uint32_t, 1> counts(sycl::range<1>(bins), group);
    group.parallel_for<class histogram>(sycl::nd_range<1>(groups * group_size, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t l = item.get_local_id(0);
      for (std::size_t bin = l; bin < bins; bin += group_size)
        counts[bin] = 0;
      sycl::group_barrier(item.get_group());
      for (std::size_t i = item.get_global_id(0); i < size; i += groups * group_size)
        local_counter(counts[values[i]]).fetch_add(1u);
      sycl::group_barrier(item.get_group());
      for (std::size_t bin = l; bin < bins; bin += group_size)
        global_counter(result[bin]).fetch_add(counts[bin]);
    });
  });
}

} // namespace

int main(int argc, char **argv) {
  const std::size_t size = sample::number(argc, argv, 1, std::size_t(1) << 22);
  sycl::queue queue{sycl::property::queue::in_order()};
  std::vector<unsigned char> host(size);
  std::vector<std::uint32_t> wanted(bins, 0);
  for (std::size_t i = 0; i < size; ++i) {
    host[i] = static_cast<unsigned char>(sample::noise(i) * (i % 3) >> 7);
    ++wanted[host[i]];
  }
  sample::memory<unsigned char> values(queue, host);
  sample::memory<std::uint32_t> result(queue, bins);
  sample::timed("histogram", queue, [&] { count(queue, values.get(), size, result.get()); });
  return sample::verdict(result.read() == wanted);
}
