// devices: host
// Commands of an out-of-order queue that do not conflict run beside each other: each of the two
// kernels waits for the other one.
#include <sycl/sycl.hpp>

#include "../check.hpp"

static void meet(sycl::queue &queue, sycl::buffer<int> &buffer, std::size_t mine, int *flags) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor element(buffer, handler, sycl::range<1>(1), sycl::id<1>(mine), sycl::write_only);
    handler.single_task([=] {
      using flag = sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device>;
      const flag own(flags[mine]), other(flags[1 - mine]);
      own.store(1, sycl::memory_order::release);
      int seen = 0;
      for (long round = 0; round < 2000000000 && seen == 0; ++round)
        seen = other.load(sycl::memory_order::acquire);
      element[0] = seen;
    });
  });
}

int main() {
  sycl::queue queue;
  if (queue.get_device().get_info<sycl::info::device::max_compute_units>() > 1) {
    int *const flags = sycl::malloc_shared<int>(2, queue);
    flags[0] = flags[1] = 0;
    sycl::buffer<int> buffer{sycl::range<1>(2)};
    meet(queue, buffer, 0, flags);
    meet(queue, buffer, 1, flags);
    queue.wait();
    const sycl::host_accessor met(buffer, sycl::read_only);
    CHECK_EQUAL(met[0], 1);
    CHECK_EQUAL(met[1], 1);
    sycl::free(flags, queue);
  }
  std::puts("PASS");
}
