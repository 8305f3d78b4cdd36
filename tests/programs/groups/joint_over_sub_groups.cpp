// joint_ algorithms over sub-groups of every size that the device has: each sub-group processes a
// range in memory that is shorter than, as long as or longer than itself.
#include "shapes.hpp"

#include <algorithm>
#include <vector>

namespace {

constexpr std::size_t lengths[] = {0, 1, 5, 32, 65, 150}, room = 150;

struct results {
  int sum, from, least;
  bool any, all, none;
  std::ptrdiff_t ends[3];
  unsigned part;
};

template <unsigned Size, int D> void check(sycl::queue &queue, const sycl::nd_range<D> &shape, std::size_t length) {
  const std::size_t width = shape.get_local_range().size(), count = shape.get_global_range().size();
  shared_array<int> in(queue, room), out(queue, count * 3 * room);
  shared_array<results> all(queue, count);
  for (std::size_t i = 0; i < room; ++i)
    in[i] = static_cast<int>(i * 13 % 29) - 9;
  queue.parallel_for(shape, [=, in = in.get(), out = out.get(),
                             all = all.get()](sycl::nd_item<D> item) [[sycl::reqd_sub_group_size(Size)]] {
    const sycl::sub_group part = item.get_sub_group();
    const unsigned number = static_cast<unsigned>(item.get_group_linear_id() * width) + part.get_group_linear_id();
    const int *first = in, *last = in + length;
    int *mine = out + number * 3 * room;
    results &own = all[position(item)];
    own.part = number;
    own.sum = sycl::joint_reduce(part, first, last, sycl::plus<>());
    own.from = sycl::joint_reduce(part, first, last, 1000, sycl::plus<>());
    own.least = sycl::joint_reduce(part, first, last, sycl::minimum<int>());
    own.any = sycl::joint_any_of(part, first, last, [](int x) { return x == 4; });
    own.all = sycl::joint_all_of(part, first, last, [](int x) { return x < 19; });
    own.none = sycl::joint_none_of(part, first, last, [](int x) { return x == -9; });
    own.ends[0] = sycl::joint_inclusive_scan(part, first, last, mine, sycl::plus<>(), 7) - mine;
    own.ends[1] = sycl::joint_exclusive_scan(part, first, last, mine + room, sycl::maximum<int>()) - mine;
    // In place: the results replace the input of the scan.
    int *const place = mine + 2 * room;
    for (std::size_t i = part.get_local_linear_id(); i < length; i += part.get_local_linear_range())
      place[i] = in[i];
    sycl::group_barrier(part);
    own.ends[2] = sycl::joint_exclusive_scan(part, place, place + length, place, 5, sycl::plus<>()) - mine;
  });
  queue.wait();
  const std::vector<int> values(in.get(), in.get() + length);
  for (std::size_t i = 0; i < count; ++i) {
    const results &own = all[i];
    const int *const mine = out.get() + own.part * 3 * room;
    CHECK(own.part / width == i / width);
    int sum = 0, most = -2147483647 - 1, least = 2147483647;
    for (std::size_t k = 0; k < length; ++k) {
      CHECK_EQUAL(mine[room + k], most);
      CHECK_EQUAL(mine[2 * room + k], 5 + sum);
      sum += values[k];
      most = std::max(most, values[k]);
      least = std::min(least, values[k]);
      CHECK_EQUAL(mine[k], 7 + sum);
    }
    CHECK(own.sum == sum && own.from == sum + 1000 && own.least == least);
    CHECK(own.any == (std::count(values.begin(), values.end(), 4) > 0));
    CHECK(own.all == std::all_of(values.begin(), values.end(), [](int x) { return x < 19; }));
    CHECK(own.none == (std::count(values.begin(), values.end(), -9) == 0));
    for (std::size_t k = 0; k < 3; ++k)
      CHECK_EQUAL(own.ends[k], static_cast<std::ptrdiff_t>(k * room + length));
  }
}

template <unsigned Size> void check_size(sycl::queue &queue) {
  const auto sizes = queue.get_device().get_info<sycl::info::device::sub_group_sizes>();
  if (std::find(sizes.begin(), sizes.end(), std::size_t(Size)) == sizes.end())
    return;
  for (const std::size_t length : lengths) {
    check<Size>(queue, lines[1], length);
    check<Size>(queue, lines[2], length);
    if constexpr (Size == 8 || Size == 32)
      check<Size>(queue, planes[1], length);
    if constexpr (Size == 16)
      check<Size>(queue, spaces[2], length);
  }
}

} // namespace

int main() {
  sycl::queue queue;
  check_size<4>(queue);
  check_size<8>(queue);
  check_size<16>(queue);
  check_size<32>(queue);
  check_size<64>(queue);
  return pass();
}
