// A kernel that runs until its process is killed, or for two seconds where there is an argument.
#include <sycl/sycl.hpp>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

int main(int argc, char **) {
  sycl::queue queue;
  int *stop = sycl::malloc_shared<int>(1, queue);
  *stop = 0;
  auto event = queue.parallel_for<class spin_until_stopped>(sycl::range<1>{1}, [=](sycl::id<1>) {
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::system> flag(*stop);
    while (flag.load() == 0) { // SPIN
    }
  });
  std::puts("running");
  std::fflush(stdout);
  if (argc > 1) {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    __atomic_store_n(stop, 1, __ATOMIC_RELAXED);
  }
  event.wait();
}
