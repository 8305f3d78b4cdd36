// error: inline_assembly.cpp:5
#include <sycl/sycl.hpp>

static void assembly(int *out) {
  asm volatile("movl $1, (%0)" : : "r"(out) : "memory");
}

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { assembly(out); }).wait();
}
