// A program compiled with debug information.
// options: -g
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <class T> static T twice(T x) {
  const T result = x * 2;
  return result;
}

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(100, queue);
  queue.parallel_for(sycl::nd_range<1>(100, 10), [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_linear_id());
    int values[4] = {i, i + 1, i + 2, i + 3};
    for (int &value : values)
      value = twice(value);
    out[i] = values[i % 4];
  });
  queue.wait();
  for (int i = 0; i < 100; ++i)
    CHECK_EQUAL(out[i], 2 * (i + i % 4));
  sycl::free(out, queue);
  return pass();
}
