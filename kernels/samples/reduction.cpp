// The sum of many numbers by a tree in local memory: reduction [ELEMENTS]
//
// Each work-group adds up its part: first each item a run of elements, then half of the items the
// sums of the other half, until one is left. A second launch adds up the groups. `sycl::reduction`
// does the same in one line.
#include "sample.hpp"

namespace {

constexpr std::size_t group_size = 256, per_item = 8, part = group_size * per_item;

void add_up(sycl::queue &queue, const std::uint32_t *values, std::size_t count, std::uint32_t *sums) {
  const std::size_t groups = (count + part - 1) / part;
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<std::uint32_t, 1> tree(sycl::range<1>(group_size), group);
    group.parallel_for<class reduction>(sycl::nd_range<1>(groups * group_size, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t l = item.get_local_id(0);
      std::uint32_t sum = 0;
      for (std::size_t k = 0; k < per_item; ++k) {
        const std::size_t i = item.get_group(0) * part + k * group_size + l;
        sum += i < count ? values[i] : 0;
      }
      tree[l] = sum;
      for (std::size_t half = group_size / 2; half > 0; half /= 2) {
        sycl::group_barrier(item.get_group());
        if (l < half)
          tree[l] += tree[l + half];
      }
      if (l == 0)
        sums[item.get_group(0)] = tree[0];
    });
  });
}

std::uint32_t sum(sycl::queue &queue, sample::memory<std::uint32_t> &values, std::size_t count) {
  sample::memory<std::uint32_t> first(queue, (count + part - 1) / part), second(queue, (count + part - 1) / part);
  const std::uint32_t *from = values.get();
  std::uint32_t *to = first.get(), *other = second.get();
  do {
    add_up(queue, from, count, to);
    count = (count + part - 1) / part;
    from = to;
    std::swap(to, other);
  } while (count > 1);
  std::uint32_t result = 0;
  queue.copy(from, &result, 1).wait();
  return result;
}

} // namespace

int main(int argc, char **argv) {
  const std::size_t count = sample::number(argc, argv, 1, std::size_t(1) << 22);
  sycl::queue queue{sycl::property::queue::in_order()};
  std::vector<std::uint32_t> host(count);
  std::uint32_t wanted = 0;
  for (std::size_t i = 0; i < count; ++i)
    wanted += host[i] = sample::noise(i);
  sample::memory<std::uint32_t> values(queue, host);
  std::uint32_t found = 0;
  sample::timed("reduction", queue, [&] { found = sum(queue, values, count); });
  std::printf("sum %u, expected %u\n", found, wanted);
  return sample::verdict(found == wanted);
}
