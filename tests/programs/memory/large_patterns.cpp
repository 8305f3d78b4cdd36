// fill with a pattern above the runtime's limit is executed as a kernel.
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct record {
  int values[50];
};

int main() {
  sycl::queue queue;
  record pattern{}, *out = sycl::malloc_shared<record>(37, queue);
  for (int i = 0; i < 50; ++i)
    pattern.values[i] = i * i;
  queue.memset(out, 0xff, 37 * sizeof(record));
  queue.fill(out, pattern, 36).wait();
  for (int i = 0; i < 36; ++i)
    for (int j = 0; j < 50; ++j)
      CHECK_EQUAL(out[i].values[j], j * j);
  CHECK_EQUAL(out[36].values[0], -1);
  sycl::free(out, queue);
  return pass();
}
