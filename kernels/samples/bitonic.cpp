// Sorts numbers with a bitonic network: bitonic [ELEMENTS, a power of two times 1024]
//
// Steps over distances within a work-group's block run in local memory, with a barrier after each;
// larger ones are separate launches.
#include "sample.hpp"

#include <algorithm>

namespace {

constexpr std::size_t group_size = 512, block = 2 * group_size;

// Compares two elements of a pair and puts the smaller one first if `ascending`.
template <class Pointer> void order(Pointer first, Pointer second, bool ascending) {
  if ((*second < *first) == ascending) {
    const std::uint32_t kept = *first;
    *first = *second;
    *second = kept;
  }
}

// Index of the first element of pair `pair` whose elements are `distance` apart.
std::size_t place(std::size_t pair, std::size_t distance) {
  return 2 * distance * (pair / distance) + pair % distance;
}

// Steps over `distance` and all smaller ones, for runs of `first` to `last` elements, in blocks.
void sort_blocks(sycl::queue &queue, std::uint32_t *values, std::size_t count, std::size_t first, std::size_t last) {
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<std::uint32_t, 1> near(sycl::range<1>(block), group);
    group.parallel_for<class bitonic_blocks>(sycl::nd_range<1>(count / 2, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t l = item.get_local_id(0), start = item.get_group(0) * block;
      near[l] = values[start + l];
      near[l + group_size] = values[start + l + group_size];
      for (std::size_t run = first; run <= last; run *= 2)
        for (std::size_t distance = sycl::min(run / 2, group_size); distance > 0; distance /= 2) {
          sycl::group_barrier(item.get_group());
          const std::size_t i = place(l, distance);
          order(&near[i], &near[i + distance], ((start + i) & run) == 0);
        }
      sycl::group_barrier(item.get_group());
      values[start + l] = near[l];
      values[start + l + group_size] = near[l + group_size];
    });
  });
}

void sort_far(sycl::queue &queue, std::uint32_t *values, std::size_t count, std::size_t run, std::size_t distance) {
  queue.parallel_for<class bitonic_far>(sycl::range<1>(count / 2), [=](sycl::id<1> pair) {
    const std::size_t i = place(pair, distance);
    order(values + i, values + i + distance, (i & run) == 0);
  });
}

void sort(sycl::queue &queue, std::uint32_t *values, std::size_t count) {
  sort_blocks(queue, values, count, 2, block);
  for (std::size_t run = 2 * block; run <= count; run *= 2) {
    for (std::size_t distance = run / 2; distance >= block; distance /= 2)
      sort_far(queue, values, count, run, distance);
    sort_blocks(queue, values, count, run, run);
  }
}

} // namespace

int main(int argc, char **argv) {
  const std::size_t count = sample::number(argc, argv, 1, std::size_t(1) << 18, block);
  if ((count & (count - 1)) != 0) {
    std::fprintf(stderr, "%s: the number of elements must be a power of two\n", argv[0]);
    return 2;
  }
  sycl::queue queue{sycl::property::queue::in_order()};
  std::vector<std::uint32_t> host(count);
  for (std::size_t i = 0; i < count; ++i)
    host[i] = sample::noise(i);
  sample::memory<std::uint32_t> values(queue, host);
  sort(queue, values.get(), count);
  std::vector<std::uint32_t> wanted = host;
  std::sort(wanted.begin(), wanted.end());
  const bool pass = values.read() == wanted;
  sample::timed("bitonic", queue, [&] {
    queue.copy(host.data(), values.get(), count);
    sort(queue, values.get(), count);
  });
  return sample::verdict(pass && values.read() == wanted);
}
