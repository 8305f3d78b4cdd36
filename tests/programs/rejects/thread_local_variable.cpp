// error: thread_local_variable.cpp:11
#include <sycl/sycl.hpp>

thread_local int per_thread = 3;

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(1, queue);
  queue
      .single_task([=] {
        *out = per_thread;
      })
      .wait();
}
