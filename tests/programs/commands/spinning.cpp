// The first launch of a kernel does not block the submitting thread, even if the kernel waits for a
// later action of that thread.
#include <sycl/sycl.hpp>

#include <unistd.h>

#include "../check.hpp"

int main() {
  alarm(60);
  sycl::queue queue;
  int *flag = sycl::malloc_shared<int>(1, queue);
  *flag = 0;
  sycl::event done = queue.single_task([=] {
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {
    }
  });
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  done.wait();
  sycl::free(flag, queue);
  return pass();
}
