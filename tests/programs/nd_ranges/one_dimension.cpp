// Queries of nd_item and group in one dimension.
// levels: 0 2 3
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct answers {
  std::size_t global, local, group, groups, local_size, global_size, group_linear, local_linear, global_linear;
  bool leader;
};

int main() {
  sycl::queue queue;
  answers *out = sycl::malloc_shared<answers>(4096, queue);
  for (const std::size_t local : {1, 2, 7, 16, 64, 256})
    for (const std::size_t groups : {1, 2, 5, 13}) {
      const std::size_t size = local * groups;
      queue.parallel_for(sycl::nd_range<1>(size, local), [=](sycl::nd_item<1> item) {
        const sycl::group<1> group = item.get_group();
        out[item.get_global_id(0)] = {item.get_global_id()[0], item.get_local_id(0),        group.get_group_id(0),
                                      item.get_group_range(0), item.get_local_range(0),     item.get_global_range(0),
                                      group[0],                item.get_local_linear_id(), item.get_global_linear_id(),
                                      group.leader()};
      });
      queue.wait();
      for (std::size_t i = 0; i < size; ++i) {
        CHECK_EQUAL(out[i].global, i);
        CHECK_EQUAL(out[i].local, i % local);
        CHECK_EQUAL(out[i].group, i / local);
        CHECK_EQUAL(out[i].groups, groups);
        CHECK_EQUAL(out[i].local_size, local);
        CHECK_EQUAL(out[i].global_size, size);
        CHECK_EQUAL(out[i].group_linear, i / local);
        CHECK_EQUAL(out[i].local_linear, i % local);
        CHECK_EQUAL(out[i].global_linear, i);
        CHECK_EQUAL(out[i].leader, i % local == 0);
      }
    }
  sycl::free(out, queue);
  return pass();
}
