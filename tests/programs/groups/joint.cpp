// joint_ algorithms: a group processes a range in memory that is shorter than, as long as or longer
// than the group.
// levels: 2
#include "shapes.hpp"

namespace {

constexpr std::size_t lengths[] = {0, 1, 6, 32, 33, 255, 256, 700};

struct results {
  int sum, from, least;
  bool any, all, none;
  std::ptrdiff_t ends[4];
};

template <int D> void check(sycl::queue &queue, const sycl::nd_range<D> &shape, std::size_t length) {
  const std::size_t width = shape.get_local_range().size(), groups = shape.get_group_range().size();
  shared_array<int> in(queue, 1000), out(queue, groups * 4 * 1000);
  shared_array<results> all(queue, groups * width);
  for (std::size_t i = 0; i < length; ++i)
    in[i] = static_cast<int>(i * 13 % 29) - 9;
  queue.parallel_for(shape, [=, in = in.get(), out = out.get(), all = all.get()](sycl::nd_item<D> item) {
    const auto group = item.get_group();
    const int *first = in, *last = in + length;
    int *mine = out + group.get_group_linear_id() * 4000;
    results &own = all[position(item)];
    own.sum = sycl::joint_reduce(group, first, last, sycl::plus<>());
    own.from = sycl::joint_reduce(group, first, last, 1000, sycl::plus<>());
    own.least = sycl::joint_reduce(group, first, last, sycl::minimum<int>());
    own.any = sycl::joint_any_of(group, first, last, [](int x) { return x == 4; });
    own.all = sycl::joint_all_of(group, first, last, [](int x) { return x < 19; });
    own.none = sycl::joint_none_of(group, first, last, [](int x) { return x == -9; });
    own.ends[0] = sycl::joint_inclusive_scan(group, first, last, mine, sycl::plus<>()) - mine;
    own.ends[1] = sycl::joint_inclusive_scan(group, first, last, mine + 1000, sycl::plus<>(), 7) - mine;
    own.ends[2] = sycl::joint_exclusive_scan(group, first, last, mine + 2000, sycl::plus<>()) - mine;
    // In place: the results replace the input of the scan.
    for (std::size_t i = group.get_local_linear_id(); i < length; i += width)
      mine[3000 + i] = in[i];
    sycl::group_barrier(group);
    own.ends[3] =
        sycl::joint_exclusive_scan(group, mine + 3000, mine + 3000 + length, mine + 3000, 5, sycl::plus<>()) - mine;
  });
  queue.wait();
  int sum = 0, least = 2147483647;
  bool any = false, every = true, none = true;
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t g = 0; g < groups; ++g) {
      CHECK_EQUAL(out[g * 4000 + 2000 + i], sum);
      CHECK_EQUAL(out[g * 4000 + 3000 + i], 5 + sum);
      CHECK_EQUAL(out[g * 4000 + i], sum + in[i]);
      CHECK_EQUAL(out[g * 4000 + 1000 + i], 7 + sum + in[i]);
    }
    sum += in[i];
    least = in[i] < least ? in[i] : least;
    any = any || in[i] == 4;
    every = every && in[i] < 19;
    none = none && in[i] != -9;
  }
  for (std::size_t i = 0; i < groups * width; ++i) {
    CHECK_EQUAL(all[i].sum, sum);
    CHECK_EQUAL(all[i].from, sum + 1000);
    CHECK_EQUAL(all[i].least, least);
    CHECK(all[i].any == any && all[i].all == every && all[i].none == none);
    for (int k = 0; k < 4; ++k)
      CHECK_EQUAL(all[i].ends[k], k * 1000 + static_cast<std::ptrdiff_t>(length));
  }
}

} // namespace

int main() {
  sycl::queue queue;
  for (const std::size_t length : lengths) {
    for (const auto &shape : lines)
      check(queue, shape, length);
    check(queue, planes[1], length);
    check(queue, spaces[2], length);
  }
  return pass();
}
