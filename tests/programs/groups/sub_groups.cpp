// Sub-groups: the queries are consistent, and every algorithm equals a loop over the sub-group.
// levels: 0 2
#include "shapes.hpp"

#include <algorithm>

namespace {

static_assert(sycl::is_group_v<sycl::sub_group> && sycl::is_group_v<sycl::group<2>> && !sycl::is_group_v<int>);
static_assert(!std::is_default_constructible_v<sycl::sub_group>);
static_assert(sycl::sub_group::dimensions == 1 && sycl::sub_group::fence_scope == sycl::memory_scope::sub_group);
static_assert(std::is_same_v<sycl::sub_group::linear_id_type, std::uint32_t>);

struct answers {
  unsigned group, groups, local, size, most;
  int sum, before, through, first, left, other;
  bool leader, same, any, all;
};

template <int D> void check(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  const std::size_t count = shape.get_global_range().size(), width = shape.get_local_range().size();
  shared_array<answers> out(queue, count);
  queue.parallel_for(shape, [=, out = out.get()](sycl::nd_item<D> item) {
    const sycl::sub_group part = item.get_sub_group();
    answers &mine = out[position(item)];
    const int x = static_cast<int>(item.get_local_linear_id()) + 1;
    mine.group = part.get_group_linear_id();
    mine.groups = part.get_group_linear_range();
    mine.local = part.get_local_linear_id();
    mine.size = part.get_local_linear_range();
    mine.most = static_cast<unsigned>(part.get_max_local_range()[0]);
    mine.same = part.get_group_id() == sycl::id<1>(mine.group) && part.get_local_id() == sycl::id<1>(mine.local) &&
                part.get_local_range() == sycl::range<1>(mine.size) &&
                part.get_group_range() == sycl::range<1>(mine.groups) && part == item.get_sub_group();
    mine.leader = part.leader();
    sycl::group_barrier(part);
    mine.sum = sycl::reduce_over_group(part, x, sycl::plus<>());
    mine.before = sycl::exclusive_scan_over_group(part, x, 100, sycl::plus<>());
    mine.through = sycl::inclusive_scan_over_group(part, x, sycl::plus<>());
    mine.first = sycl::group_broadcast(part, x);
    mine.left = sycl::shift_group_left(part, x, 1);
    mine.other = sycl::select_from_group(part, x, part.get_local_id());
    mine.any = sycl::any_of_group(part, x > 0);
    mine.all = sycl::all_of_group(part, x > 0);
  });
  queue.wait();
  for (std::size_t i = 0; i < count; ++i) {
    const answers &mine = out[i];
    const int x = static_cast<int>(i % width) + 1, start = x - static_cast<int>(mine.local);
    CHECK(mine.size >= 1 && mine.size <= mine.most && mine.local < mine.size && mine.group < mine.groups);
    CHECK(mine.same && mine.leader == (mine.local == 0) && mine.any && mine.all);
    int sum = 0, through = 0;
    for (unsigned k = 0; k < mine.size; ++k) {
      sum += start + static_cast<int>(k);
      through += k <= mine.local ? start + static_cast<int>(k) : 0;
    }
    CHECK_EQUAL(mine.sum, sum);
    CHECK_EQUAL(mine.through, through);
    CHECK_EQUAL(mine.before, 100 + through - x);
    CHECK_EQUAL(mine.first, start);
    CHECK_EQUAL(mine.other, x);
    CHECK(mine.local + 1 >= mine.size || mine.left == x + 1);
  }
}

// An algorithm for sub-groups of any size: a tree of shuffles.
void check_tree(sycl::queue &queue) {
  shared_array<float> sums(queue, 512), sizes(queue, 512);
  queue.parallel_for(sycl::nd_range<1>(512, 256), [out = sums.get(), most = sizes.get()](sycl::nd_item<1> item) {
    const auto part = item.get_sub_group();
    float down = 1, around = 1;
    for (unsigned d = part.get_max_local_range()[0] / 2; d > 0; d /= 2) {
      down += sycl::shift_group_left(part, down, d);
      around += sycl::permute_group_by_xor(part, around, d);
    }
    out[item.get_global_id(0)] = part.leader() ? down : around;
    most[item.get_global_id(0)] = static_cast<float>(part.get_max_local_range()[0]);
  });
  queue.wait();
  const auto offered = queue.get_device().get_info<sycl::info::device::sub_group_sizes>();
  for (int i = 0; i < 512; ++i) {
    CHECK_EQUAL(sums[i], sizes[i]);
    CHECK(std::find(offered.begin(), offered.end(), static_cast<std::size_t>(sizes[i])) != offered.end());
  }
  // Programs take the first for the one that kernels get. OpenCL chooses one itself.
  CHECK(static_cast<std::size_t>(sizes[0]) <= offered.front());
  if (queue.get_backend() == sycl::backend::host)
    CHECK_EQUAL(offered.front(), static_cast<std::size_t>(sizes[0]));
}

// Contiguous elements of a sub-group: in both directions, each element once.
void check_rows(sycl::queue &queue) {
  constexpr int count = 4, items = 64;
  shared_array<int> in(queue, items * count), out(queue, items * count), once(queue, items);
  for (int i = 0; i < items * count; ++i)
    in[i] = i * 3 + 1;
  queue.parallel_for(sycl::nd_range<1>(items, 32), [in = in.get(), out = out.get(), once = once.get()](auto &item) {
    const sycl::sub_group part = item.get_sub_group();
    const int first = static_cast<int>(item.get_global_id(0)) - static_cast<int>(part.get_local_linear_id());
    using pointer = sycl::global_ptr<int>;
    part.template store<count>(pointer(out + first * count), part.template load<count>(pointer(in + first * count)));
    part.store(once + first, part.load(pointer(in + first)));
  });
  queue.wait();
  for (int i = 0; i < items * count; ++i)
    CHECK_EQUAL(out[i], in[i]);
  for (int i = 0; i < items; ++i)
    CHECK_EQUAL(once[i], in[i]);
}

} // namespace

int main() {
  sycl::queue queue;
  for_each_shape(queue, [](sycl::queue &q, const auto &shape) { check(q, shape); });
  check_tree(queue);
  check_rows(queue);
  return pass();
}
