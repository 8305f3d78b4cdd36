// Prefix sums by the method of Blelloch: scan [ELEMENTS]
//
// Each work-group sums its block up a tree in local memory and passes prefix sums back down. The
// totals of the blocks are scanned the same way, and added to their blocks.
#include "sample.hpp"

namespace {

constexpr std::size_t group_size = 256, block = 2 * group_size;

std::size_t blocks_of(std::size_t count) { return (count + block - 1) / block; }

// Exclusive prefix sums within each block; `totals` gets the sum of each block.
void scan_blocks(sycl::queue &queue, std::uint32_t *values, std::size_t count, std::uint32_t *totals) {
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<std::uint32_t, 1> tree(sycl::range<1>(block), group);
    const sycl::nd_range<1> range(blocks_of(count) * group_size, group_size);
    group.parallel_for<class scan_blocks>(range, [=](sycl::nd_item<1> item) {
      const std::size_t l = item.get_local_id(0), start = item.get_group(0) * block;
      for (const std::size_t k : {l, l + group_size})
        tree[k] = start + k < count ? values[start + k] : 0;
      for (std::size_t distance = 1; distance < block; distance *= 2) {
        sycl::group_barrier(item.get_group());
        const std::size_t right = 2 * distance * (l + 1) - 1;
        if (right < block)
          tree[right] += tree[right - distance];
      }
      sycl::group_barrier(item.get_group());
      if (l == 0) {
        totals[item.get_group(0)] = tree[block - 1];
        tree[block - 1] = 0;
      }
      for (std::size_t distance = block / 2; distance > 0; distance /= 2) {
        sycl::group_barrier(item.get_group());
        const std::size_t right = 2 * distance * (l + 1) - 1;
        if (right < block) {
          const std::uint32_t left = tree[right - distance];
          tree[right - distance] = tree[right];
          tree[right] += left;
        }
      }
      sycl::group_barrier(item.get_group());
      for (const std::size_t k : {l, l + group_size})
        if (start + k < count)
          values[start + k] = tree[k];
    });
  });
}

void scan(sycl::queue &queue, std::uint32_t *values, std::size_t count) {
  sample::memory<std::uint32_t> totals(queue, blocks_of(count));
  std::uint32_t *before = totals.get();
  scan_blocks(queue, values, count, before);
  if (blocks_of(count) > 1) {
    scan(queue, before, blocks_of(count));
    queue.parallel_for<class scan_add>(sycl::range<1>(count), [=](sycl::id<1> i) { values[i] += before[i / block]; });
  }
  queue.wait(); // the totals are freed
}

} // namespace

int main(int argc, char **argv) {
  const std::size_t count = sample::number(argc, argv, 1, (std::size_t(1) << 20) + 12345);
  sycl::queue queue{sycl::property::queue::in_order()};
  std::vector<std::uint32_t> host(count), wanted(count);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    host[i] = sample::noise(i) % 1000;
    wanted[i] = sum;
    sum += host[i];
  }
  sample::memory<std::uint32_t> values(queue, host);
  scan(queue, values.get(), count);
  const bool pass = values.read() == wanted;
  sample::timed("scan", queue, [&] {
    queue.copy(host.data(), values.get(), count);
    scan(queue, values.get(), count);
  });
  return sample::verdict(pass && values.read() == wanted);
}
