// The last group to finish sums the results of the others in global memory: fences and counters
// between groups.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

int main() {
  sycl::queue queue;
  constexpr int size = 8192, group_size = 64, groups = size / group_size;
  int *partial = sycl::malloc_shared<int>(groups, queue);
  int *result = sycl::malloc_shared<int>(1, queue);
  unsigned *finished = sycl::malloc_shared<unsigned>(1, queue);
  for (int repetition = 0; repetition < 20; ++repetition) {
    *result = 0;
    *finished = 0;
    queue.submit([&](sycl::handler &cgh) {
      sycl::local_accessor<int> shared(group_size, cgh);
      cgh.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
        const sycl::group<1> group = item.get_group();
        const int mine = static_cast<int>(item.get_local_id(0));
        bool &last = *sycl::ext::oneapi::group_local_memory_for_overwrite<bool>(group);
        shared[mine] = static_cast<int>(item.get_global_id(0)) % 10;
        for (int stride = group_size / 2; stride > 0; stride /= 2) {
          sycl::group_barrier(group);
          if (mine < stride)
            shared[mine] += shared[mine + stride];
        }
        if (mine == 0) {
          partial[item.get_group(0)] = shared[0];
          sycl::atomic_fence(sycl::memory_order_release, sycl::memory_scope_device);
          sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device> done(*finished);
          last = done.fetch_add(1) == groups - 1;
          sycl::atomic_fence(sycl::memory_order::acquire, sycl::memory_scope::device);
        }
        sycl::group_barrier(group);
        if (!last)
          return;
        sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group> sum(*result);
        for (int i = mine; i < groups; i += group_size)
          sum += partial[i];
      });
    });
    queue.wait();
    int sum = 0;
    for (int i = 0; i < size; ++i)
      sum += i % 10;
    CHECK_EQUAL(*result, sum);
    CHECK_EQUAL(*finished, groups);
  }
  sycl::free(partial, queue);
  sycl::free(result, queue);
  sycl::free(finished, queue);
  return pass();
}
