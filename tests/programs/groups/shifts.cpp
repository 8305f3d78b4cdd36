// Shifts, permutations and selections, which Sinter supports for work-groups too. Results from
// outside the group are unspecified.
// levels: 2
#include "shapes.hpp"

namespace {

struct pair {
  long first;
  int second;
  friend bool operator==(const pair &a, const pair &b) { return a.first == b.first && a.second == b.second; }
};

pair pair_at(std::size_t i) { return {static_cast<long>(i) << 40, static_cast<int>(i) * -3}; }

template <int D> void check(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  const std::size_t count = shape.get_global_range().size(), width = shape.get_local_range().size();
  shared_array<pair> left(queue, count);
  shared_array<int> right(queue, count), one(queue, count), swapped(queue, count), turned(queue, count);
  queue.parallel_for(shape, [=, left = left.get(), right = right.get(), one = one.get(), swapped = swapped.get(),
                             turned = turned.get()](sycl::nd_item<D> item) {
    const auto group = item.get_group();
    const std::size_t at = position(item);
    const int mine = static_cast<int>(at);
    left[at] = sycl::shift_group_left(group, pair_at(at), 3);
    right[at] = sycl::shift_group_right(group, mine, 2);
    one[at] = sycl::shift_group_left(group, mine);
    swapped[at] = sycl::permute_group_by_xor(group, mine, 1);
    sycl::id<D> opposite;
    for (int d = 0; d < D; ++d)
      opposite[d] = item.get_local_range(d) - 1 - item.get_local_id(d);
    turned[at] = sycl::select_from_group(group, mine, opposite);
  });
  queue.wait();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t self = i % width, first = i - self;
    CHECK(self + 3 >= width || left[i] == pair_at(i + 3));
    CHECK(self < 2 || right[i] == static_cast<int>(i - 2));
    CHECK(self + 1 >= width || one[i] == static_cast<int>(i + 1));
    CHECK((self ^ 1) >= width || swapped[i] == static_cast<int>(first + (self ^ 1)));
    CHECK_EQUAL(turned[i], static_cast<int>(first + width - 1 - self));
  }
}

} // namespace

int main() {
  sycl::queue queue;
  for_each_shape(queue, [](sycl::queue &q, const auto &shape) { check(q, shape); });
  return pass();
}
