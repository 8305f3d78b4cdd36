// A kernel that calls functions which no host code calls.
#include "functions.hpp"

#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(8, queue);
  queue.parallel_for(8, [=](int i) { out[i] = first(i); }).wait();
  for (int i = 0; i < 8; ++i)
    if (out[i] != 3 * i + 1)
      return std::printf("out[%d] is %d\n", i, out[i]), 1;
  sycl::free(out, queue);
  std::puts("PASS");
}
