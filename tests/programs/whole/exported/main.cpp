// A kernel that calls a function exported by another translation unit.
// sources: other.cpp
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../../check.hpp"

SYCL_EXTERNAL int exported(int x);

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(10, queue);
  queue.parallel_for(10, [=](int i) { out[i] = exported(i); }).wait();
  for (int i = 0; i < 10; ++i)
    CHECK_EQUAL(out[i], exported(i));
  sycl::free(out, queue);
  return pass();
}
