// Work-items that return early: whole groups before a barrier, single items after the last one, and
// a partial last group.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

constexpr int group_size = 48;

int main() {
  sycl::queue queue;
  constexpr int count = 1000, size = (count + group_size - 1) / group_size * group_size;
  int *out = sycl::malloc_shared<int>(size, queue);
  const auto run = [&](int skipped) {
    queue.memset(out, 0xff, size * sizeof(int));
    queue.submit([&](sycl::handler &cgh) {
      sycl::local_accessor<int> shared(group_size, cgh);
      cgh.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
        // The condition is uniform in a group.
        if (static_cast<int>(item.get_group(0)) % 3 == skipped)
          return;
        const int global = static_cast<int>(item.get_global_id(0)), mine = static_cast<int>(item.get_local_id(0));
        shared[mine] = global < count ? global : 0;
        sycl::group_barrier(item.get_group());
        if (global >= count)
          return;
        int sum = 0;
        for (int i = 0; i <= mine; ++i)
          sum += shared[i];
        if (mine % 2 == 1)
          return;
        out[global] = sum;
      });
    });
    queue.wait();
  };
  for (const int skipped : {0, 1, 2, 3}) {
    run(skipped);
    for (int i = 0, sum = 0; i < size; ++i) {
      sum = i % group_size == 0 ? i : sum + i;
      const bool written = i / group_size % 3 != skipped && i < count && i % group_size % 2 == 0;
      CHECK_EQUAL(out[i], written ? sum : -1);
    }
  }
  sycl::free(out, queue);
  return pass();
}
