// Queries of nd_item and group in two dimensions; dimension 1 is contiguous.
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct answers {
  sycl::id<2> global, local, group;
  sycl::range<2> groups, local_size, global_size;
  std::size_t linear, group_linear, local_linear;
};

int main() {
  sycl::queue queue;
  const sycl::range<2> global(12, 35), local(3, 5);
  answers *out = static_cast<answers *>(sycl::malloc_shared(sizeof(answers) * global.size(), queue));
  queue.parallel_for<class two_dimensions>(sycl::nd_range<2>(global, local), [=](sycl::nd_item<2> item) {
    answers &mine = out[item.get_global_id(0) * 35 + item.get_global_id(1)];
    mine.global = item.get_global_id();
    mine.local = item.get_local_id();
    mine.group = item.get_group().get_group_id();
    mine.groups = item.get_group_range();
    mine.local_size = item.get_nd_range().get_local_range();
    mine.global_size = item.get_global_range();
    mine.linear = item.get_global_linear_id();
    mine.group_linear = item.get_group_linear_id();
    mine.local_linear = item.get_group().get_local_linear_id();
  });
  queue.wait();
  for (std::size_t row = 0; row < 12; ++row)
    for (std::size_t column = 0; column < 35; ++column) {
      const answers &mine = out[row * 35 + column];
      CHECK(mine.global == sycl::id<2>(row, column));
      CHECK(mine.local == sycl::id<2>(row % 3, column % 5));
      CHECK(mine.group == sycl::id<2>(row / 3, column / 5));
      CHECK(mine.groups == sycl::range<2>(4, 7));
      CHECK(mine.local_size == local);
      CHECK(mine.global_size == global);
      CHECK_EQUAL(mine.linear, row * 35 + column);
      CHECK_EQUAL(mine.group_linear, row / 3 * 7 + column / 5);
      CHECK_EQUAL(mine.local_linear, row % 3 * 5 + column % 5);
    }
  sycl::free(out, queue);
  return pass();
}
