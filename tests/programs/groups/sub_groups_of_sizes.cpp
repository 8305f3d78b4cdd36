// Sub-groups of every size that the device has: operations equal a loop over the sub-group in
// groups of all shapes, and programs for warps compute what they do there.
// sub_group_operators_*.cpp and sub_group_moves.cpp have all types. levels: 0 2
#include "shapes.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace {

// A value that differs between neighbours.
int value(std::size_t i) { return static_cast<int>((i * 7 + i / 3) % 11 + 1); }

struct results {
  int sum, product, least, most, through, before, left, right, other, turned, first;
  unsigned local, size, number, count, widest;
};

int start_of_products(std::size_t i) { return i % 5 == 0 ? 2 : 1; }

template <unsigned Size, int D> void check(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  const std::size_t count = shape.get_global_range().size(), width = shape.get_local_range().size();
  shared_array<results> out(queue, count);
  queue.parallel_for(shape, [out = out.get()](sycl::nd_item<D> item) [[sycl::reqd_sub_group_size(Size)]] {
    const sycl::sub_group part = item.get_sub_group();
    const std::size_t place = item.get_local_linear_id();
    results &mine = out[position(item)];
    const int x = value(place);
    mine.sum = sycl::reduce_over_group(part, x, sycl::plus<>());
    mine.product = sycl::reduce_over_group(part, start_of_products(place), sycl::multiplies<>());
    mine.least = sycl::reduce_over_group(part, x, sycl::minimum<>());
    mine.most = sycl::reduce_over_group(part, x, sycl::maximum<>());
    mine.through = sycl::inclusive_scan_over_group(part, x, sycl::plus<>());
    mine.before = sycl::exclusive_scan_over_group(part, x, 3, sycl::plus<>());
    mine.left = sycl::shift_group_left(part, x, 1);
    mine.right = sycl::shift_group_right(part, x, 2);
    mine.other = sycl::permute_group_by_xor(part, x, 1);
    mine.turned = sycl::select_from_group(
        part, x, sycl::id<1>((part.get_local_linear_id() * 5 + 3) % part.get_local_linear_range()));
    mine.first = sycl::group_broadcast(part, x, part.get_local_linear_range() - 1);
    mine.local = part.get_local_linear_id();
    mine.size = part.get_local_linear_range();
    mine.number = part.get_group_linear_id();
    mine.count = part.get_group_linear_range();
    mine.widest = static_cast<unsigned>(part.get_max_local_range()[0]);
  });
  queue.wait();
  for (std::size_t i = 0; i < count; ++i) {
    const results &mine = out[i];
    const std::size_t place = i % width, first = place / Size * Size, size = std::min<std::size_t>(Size, width - first);
    CHECK_EQUAL(mine.widest, Size);
    CHECK_EQUAL(mine.local, place - first);
    CHECK_EQUAL(mine.size, size);
    CHECK_EQUAL(mine.number, place / Size);
    CHECK_EQUAL(mine.count, (width + Size - 1) / Size);
    int sum = 0, product = 1, least = value(first), most = least, through = 0;
    for (std::size_t k = first; k < first + size; ++k) {
      sum += value(k);
      through = k <= place ? sum : through;
      product *= start_of_products(k);
      least = std::min(least, value(k));
      most = std::max(most, value(k));
    }
    CHECK(mine.sum == sum && mine.product == product && mine.least == least && mine.most == most);
    CHECK(mine.through == through);
    CHECK(mine.before == through - value(place) + 3);
    CHECK(mine.local + 1 >= size || mine.left == value(place + 1));
    CHECK(mine.local < 2 || mine.right == value(place - 2));
    CHECK((mine.local ^ 1) >= size || mine.other == value(first + (mine.local ^ 1)));
    CHECK(mine.turned == value(first + (mine.local * 5 + 3) % size));
    CHECK(mine.first == value(first + size - 1));
  }
}

constexpr std::size_t items = 256, group_size = 128;

template <unsigned Size, class Kernel> std::vector<int> run(sycl::queue &queue, const Kernel &kernel) {
  shared_array<int> data(queue, items);
  for (std::size_t i = 0; i < items; ++i)
    data[i] = static_cast<int>(i * 2654435761u % 1000);
  queue.submit([&](sycl::handler &group) {
    const sycl::local_accessor<int> local(group_size, group);
    group.parallel_for(sycl::nd_range<1>(items, group_size),
                       [=, data = data.get()](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(Size)]] {
                         kernel(item, data, local);
                       });
  });
  queue.wait();
  return std::vector<int>(data.get(), data.get() + items);
}

std::vector<int> input() {
  std::vector<int> data(items);
  for (std::size_t i = 0; i < items; ++i)
    data[i] = static_cast<int>(i * 2654435761u % 1000);
  return data;
}

// Sorts each sub-group by exchanges between partners.
template <unsigned Size> void check_bitonic_sort(sycl::queue &queue) {
  const auto found = run<Size>(queue, [](sycl::nd_item<1> item, int *data, const auto &) {
    const auto part = item.get_sub_group();
    const unsigned lane = part.get_local_linear_id();
    int x = data[item.get_global_id(0)];
    for (unsigned run = 2; run <= Size; run *= 2)
      for (unsigned step = run / 2; step > 0; step /= 2) {
        const int other = sycl::permute_group_by_xor(part, x, step);
        const bool up = (lane & run) == 0, low = (lane & step) == 0;
        x = up == low ? sycl::min(x, other) : sycl::max(x, other);
      }
    data[item.get_global_id(0)] = x;
  });
  auto expected = input();
  for (std::size_t i = 0; i < items; i += Size)
    std::sort(expected.begin() + static_cast<std::ptrdiff_t>(i), expected.begin() + static_cast<std::ptrdiff_t>(i + Size));
  CHECK(found == expected);
}

// Moves the even numbers of each sub-group to its front.
template <unsigned Size> void check_compaction(sycl::queue &queue) {
  const auto found = run<Size>(queue, [](sycl::nd_item<1> item, int *data, const auto &) {
    const auto part = item.get_sub_group();
    const std::size_t first = item.get_global_id(0) - part.get_local_linear_id();
    const int x = data[item.get_global_id(0)];
    const auto even = sycl::ext::oneapi::group_ballot(part, x % 2 == 0);
    data[item.get_global_id(0)] = -1;
    sycl::group_barrier(part);
    unsigned before = 0;
    for (unsigned k = 0; k < part.get_local_linear_id(); ++k)
      before += even[k] ? 1 : 0;
    if (x % 2 == 0)
      data[first + before] = x;
  });
  const auto all = input();
  for (std::size_t i = 0; i < items; i += Size) {
    std::vector<int> even;
    std::copy_if(&all[i], &all[i] + Size, std::back_inserter(even), [](int x) { return x % 2 == 0; });
    even.resize(Size, -1);
    CHECK(std::equal(even.begin(), even.end(), &found[i]));
  }
}

// Sums that start again at every multiple of 7.
template <unsigned Size> void check_segmented_scan(sycl::queue &queue) {
  const auto found = run<Size>(queue, [](sycl::nd_item<1> item, int *data, const auto &) {
    const auto part = item.get_sub_group();
    const unsigned lane = part.get_local_linear_id();
    int x = data[item.get_global_id(0)], starts = x % 7 == 0;
    for (unsigned step = 1; step < Size; step *= 2) {
      const int other = sycl::shift_group_right(part, x, step), begun = sycl::shift_group_right(part, starts, step);
      if (lane >= step && !starts) {
        x += other;
        starts = begun;
      }
    }
    data[item.get_global_id(0)] = x;
  });
  const auto plain = input();
  int sum = 0;
  for (std::size_t i = 0; i < items; ++i) {
    sum = i % Size == 0 || plain[i] % 7 == 0 ? plain[i] : sum + plain[i];
    CHECK_EQUAL(found[i], sum);
  }
}

// Sums through whole groups that start again at every multiple of 7: a sub-group goes on with those
// before it up to its first start, which a ballot finds.
template <unsigned Size> void check_segments_of_groups(sycl::queue &queue) {
  const auto found = run<Size>(queue, [](sycl::nd_item<1> item, int *data, const auto &local) {
    const auto part = item.get_sub_group();
    const unsigned lane = part.get_local_linear_id(), number = part.get_group_linear_id();
    int x = data[item.get_global_id(0)];
    const auto starts = sycl::ext::oneapi::group_ballot(part, x % 7 == 0);
    std::uint64_t bits = 0;
    starts.extract_bits(bits);
    bits &= ~std::uint64_t(0) >> (63 - lane);
    const unsigned first = bits == 0 ? 0 : 63 - static_cast<unsigned>(sycl::clz(bits));
    for (unsigned step = 1; step < Size; step *= 2) {
      const int other = sycl::shift_group_right(part, x, step);
      if (lane >= first + step)
        x += other;
    }
    if (lane == Size - 1) {
      local[2 * number] = x;
      local[2 * number + 1] = starts.any();
    }
    sycl::group_barrier(item.get_group());
    int before = 0;
    for (unsigned k = number; k > 0; --k) {
      before += local[2 * k - 2];
      if (local[2 * k - 1])
        break;
    }
    data[item.get_global_id(0)] = bits == 0 ? x + before : x;
  });
  const auto plain = input();
  int sum = 0;
  for (std::size_t i = 0; i < items; ++i) {
    sum = i % group_size == 0 || plain[i] % 7 == 0 ? plain[i] : sum + plain[i];
    CHECK_EQUAL(found[i], sum);
  }
}

// Sorts each group by two bits at a time and keeps the order of equal keys: ballots count the
// digits of a sub-group, and the first sub-group scans the counts of all.
template <unsigned Size> void check_radix_sort(sycl::queue &queue) {
  constexpr int key_bits = 10, key_mask = (1 << key_bits) - 1;
  const auto found = run<Size>(queue, [](sycl::nd_item<1> item, int *data, const auto &local) {
    const auto group = item.get_group();
    const auto part = item.get_sub_group();
    const unsigned lane = part.get_local_linear_id(), number = part.get_group_linear_id();
    const unsigned parts = part.get_group_linear_range(), at = number * Size + lane;
    int x = data[item.get_global_id(0)] | static_cast<int>(at) << key_bits;
    for (int shift = 0; shift < key_bits; shift += 2) {
      const unsigned digit = static_cast<unsigned>(x >> shift) & 3;
      unsigned rank = 0;
      for (unsigned value = 0; value < 4; ++value) {
        const auto equal = sycl::ext::oneapi::group_ballot(part, digit == value);
        if (digit == value)
          rank = (equal << (Size - 1 - lane)).count();
        if (lane == value)
          local[value * parts + number] = static_cast<int>(equal.count());
      }
      sycl::group_barrier(group);
      if (number == 0) {
        int before = 0;
        for (unsigned first = 0; first < 4 * parts; first += Size) {
          const bool is_count = first + lane < 4 * parts;
          const int count = is_count ? local[first + lane] : 0;
          const int sum = before + sycl::exclusive_scan_over_group(part, count, sycl::plus<>());
          if (is_count)
            local[first + lane] = sum;
          before = sycl::group_broadcast(part, sum + count, Size - 1);
        }
      }
      sycl::group_barrier(group);
      const unsigned to = static_cast<unsigned>(local[digit * parts + number]) + rank - 1;
      sycl::group_barrier(group);
      local[to] = x;
      sycl::group_barrier(group);
      x = local[at];
      sycl::group_barrier(group);
    }
    data[item.get_global_id(0)] = x;
  });
  auto expected = input();
  for (std::size_t i = 0; i < items; ++i)
    expected[i] |= static_cast<int>(i % group_size) << key_bits;
  const auto by_key = [](int a, int b) { return std::pair(a & key_mask, a) < std::pair(b & key_mask, b); };
  for (auto group = expected.begin(); group != expected.end(); group += group_size)
    std::sort(group, group + group_size, by_key);
  CHECK(found == expected);
}

// Items of a sub-group see what the others wrote to local memory before a barrier of the sub-group.
template <unsigned Size> void check_local_memory(sycl::queue &queue) {
  const auto found = run<Size>(queue, [](sycl::nd_item<1> item, int *data, const auto &local) {
    const auto part = item.get_sub_group();
    const std::size_t at = item.get_local_linear_id(), lane = part.get_local_linear_id(), first = at - lane;
    int x = data[item.get_global_id(0)];
    for (int round = 0; round < 5; ++round) {
      local[at] = x;
      sycl::group_barrier(part);
      x = local[first + (lane + 1) % Size] + round;
      sycl::group_barrier(part);
    }
    sycl::group_barrier(item.get_group());
    local[at] = x;
    sycl::group_barrier(item.get_group());
    data[item.get_global_id(0)] = local[(at + Size) % group_size];
  });
  const auto plain = input();
  for (std::size_t i = 0; i < items; ++i) {
    const std::size_t at = i / group_size * group_size + (i + Size) % group_size, first = at / Size * Size;
    CHECK_EQUAL(found[i], plain[first + (at - first + 5) % Size] + 10);
  }
}

// Votes of those that are still in a loop: it ends for all together, and others leave it alone.
template <unsigned Size> void check_votes(sycl::queue &queue) {
  const auto found = run<Size>(queue, [](sycl::nd_item<1> item, int *data, const auto &) {
    const auto part = item.get_sub_group();
    int x = data[item.get_global_id(0)], rounds = 0;
    while (sycl::any_of_group(part, x > 10)) {
      x /= 3;
      ++rounds;
    }
    const bool large = sycl::reduce_over_group(part, data[item.get_global_id(0)], sycl::plus<>()) > int(Size) * 500;
    int extra = 0;
    if (large)
      extra = sycl::reduce_over_group(part, x, sycl::plus<>());
    for (int k = 0; k < data[item.get_global_id(0)] % 5; ++k)
      extra += k;
    data[item.get_global_id(0)] = rounds * 100000 + extra;
  });
  const auto plain = input();
  for (std::size_t first = 0; first < items; first += Size) {
    int most = 0, sum = 0, rounds = 0, left = 0;
    for (std::size_t k = first; k < first + Size; ++k) {
      most = std::max(most, plain[k]);
      sum += plain[k];
    }
    for (; most > 10; most /= 3)
      ++rounds;
    for (std::size_t k = first; k < first + Size; ++k) {
      int x = plain[k];
      for (int round = 0; round < rounds; ++round)
        x /= 3;
      left += x;
    }
    for (std::size_t k = first; k < first + Size; ++k) {
      const int count = plain[k] % 5, extra = count * (count - 1) / 2;
      CHECK_EQUAL(found[k], rounds * 100000 + extra + (sum > int(Size) * 500 ? left : 0));
    }
  }
}

template <unsigned Size> void check_size(sycl::queue &queue) {
  const auto sizes = queue.get_device().get_info<sycl::info::device::sub_group_sizes>();
  if (std::find(sizes.begin(), sizes.end(), std::size_t(Size)) == sizes.end())
    return;
  // Drivers of OpenCL may divide a group in other ways.
  if (queue.get_device().get_backend() != sycl::backend::opencl)
    for_each_shape(queue, [](sycl::queue &q, const auto &shape) { check<Size>(q, shape); });
  check_bitonic_sort<Size>(queue);
  check_compaction<Size>(queue);
  check_segmented_scan<Size>(queue);
  check_segments_of_groups<Size>(queue);
  check_radix_sort<Size>(queue);
  check_local_memory<Size>(queue);
  check_votes<Size>(queue);
}

} // namespace

int main() {
  sycl::queue queue;
  check_size<4>(queue);
  check_size<64>(queue);
#ifndef FEWER_INSTANCES
  check_size<8>(queue);
  check_size<16>(queue);
  check_size<32>(queue);
#endif
  return pass();
}
