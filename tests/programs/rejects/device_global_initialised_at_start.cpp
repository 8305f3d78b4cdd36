// error: the device_global `root` in device code
#include <sycl/sycl.hpp>

#include <cstdlib>

sycl::ext::oneapi::experimental::device_global<double> root{std::strtod("1.5", nullptr)};

int main() {
  sycl::queue queue;
  double *out = sycl::malloc_shared<double>(1, queue);
  queue.single_task([=] { *out = root; }).wait();
}
