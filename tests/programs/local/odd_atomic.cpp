// An atomic_ref to a type that has no atomic operations.
// error: atomic_ref takes int, long, long long, their unsigned forms, half, bfloat16, float, double and pointers to objects
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue;
  short *value = sycl::malloc_shared<short>(1, queue);
  queue.parallel_for(8, [=](int) {
    sycl::atomic_ref<short, sycl::memory_order::relaxed, sycl::memory_scope::device> one(*value);
    one.store(1);
  });
}
