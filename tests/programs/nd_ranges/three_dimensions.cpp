// Queries of nd_item in three dimensions, through a function that takes it by reference.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct answers {
  std::size_t global[3], local[3], group[3], linear, group_linear, local_linear, groups;
};

__attribute__((noinline)) static void fill(answers *out, const sycl::nd_item<3> &item) {
  answers &mine = out[item.get_global_linear_id()];
  for (int d = 0; d < 3; ++d) {
    mine.global[d] = item.get_global_id(d);
    mine.local[d] = item.get_local_id(d);
    mine.group[d] = item.get_group(d);
  }
  mine.linear = item.get_global_linear_id();
  mine.group_linear = item.get_group_linear_id();
  mine.local_linear = item.get_local_linear_id();
  mine.groups = item.get_group().get_group_linear_range();
}

int main() {
  sycl::queue queue;
  const std::size_t size[3] = {6, 10, 21}, local[3] = {2, 5, 7}, groups[3] = {3, 2, 3};
  answers *out = sycl::malloc_shared<answers>(6 * 10 * 21, queue);
  queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(sycl::nd_range<3>({6, 10, 21}, {2, 5, 7}), [=](sycl::nd_item<3> item) { fill(out, item); });
  });
  queue.wait();
  for (std::size_t i = 0; i < 6 * 10 * 21; ++i) {
    const std::size_t index[3] = {i / 210, i / 21 % 10, i % 21};
    std::size_t group = 0, inside = 0;
    for (int d = 0; d < 3; ++d) {
      CHECK_EQUAL(out[i].global[d], index[d]);
      CHECK_EQUAL(out[i].local[d], index[d] % local[d]);
      CHECK_EQUAL(out[i].group[d], index[d] / local[d]);
      CHECK_EQUAL(size[d] / local[d], groups[d]);
      group = group * groups[d] + index[d] / local[d];
      inside = inside * local[d] + index[d] % local[d];
    }
    CHECK_EQUAL(out[i].linear, i);
    CHECK_EQUAL(out[i].group_linear, group);
    CHECK_EQUAL(out[i].local_linear, inside);
    CHECK_EQUAL(out[i].groups, 18);
  }
  sycl::free(out, queue);
  return pass();
}
