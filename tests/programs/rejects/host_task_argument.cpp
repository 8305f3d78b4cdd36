// error: a host task is called without arguments or with a sycl::interop_handle
// levels: 0 2
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue;
  queue.submit([](sycl::handler &cgh) { cgh.host_task([](int) {}); });
}
