// Work-items of a group that wait at different barriers count as arrived at each other's, also in a
// kernel with loops that would be faster in rows.
// devices: host
#include <sycl/sycl.hpp>

#include "../check.hpp"

constexpr int size = 64;

static void each_in_its_branch(sycl::queue &queue, int *out, const float *in) {
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<int> row(size, group);
    group.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> item) {
      const int i = static_cast<int>(item.get_local_id(0));
      int rounds = 0;
      for (float x = in[i]; x < 1000.0f; x = x * 1.5f + 1.0f)
        ++rounds;
      row[i] = -5;
      sycl::group_barrier(item.get_group());
      if (i % 2 == 0) {
        row[i] = 100 + i;
        sycl::group_barrier(item.get_group());
        out[i] = row[i + 1];
      } else {
        row[i] = 200 + i;
        sycl::group_barrier(item.get_group());
        out[i] = row[i - 1];
      }
      out[i] += 1000 * rounds;
    });
  });
  queue.wait();
}

int main() {
  sycl::queue queue;
  int *const out = sycl::malloc_shared<int>(size, queue);
  float *const in = sycl::malloc_shared<float>(size, queue);
  for (int i = 0; i < size; ++i)
    in[i] = static_cast<float>(i);
  each_in_its_branch(queue, out, in);
  for (int i = 0; i < size; ++i) {
    int rounds = 0;
    for (float x = in[i]; x < 1000.0f; x = x * 1.5f + 1.0f)
      ++rounds;
    CHECK(out[i] == (i % 2 == 0 ? 200 + i + 1 : 100 + i - 1) + 1000 * rounds);
  }
  sycl::free(in, queue);
  sycl::free(out, queue);
  return pass();
}
