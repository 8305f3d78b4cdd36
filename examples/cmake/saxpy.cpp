// The file with the kernel: compiled by sinter-cc.
#include "saxpy.hpp"

#include <sycl/sycl.hpp>

std::string saxpy(const std::vector<float> &x, std::vector<float> &y) {
  sycl::queue queue{sycl::property::queue::in_order()};
  const std::size_t count = x.size();
  float *device_x = sycl::malloc_device<float>(count, queue);
  float *device_y = sycl::malloc_device<float>(count, queue);
  queue.copy(x.data(), device_x, count);
  queue.copy(y.data(), device_y, count);
  queue.parallel_for(sycl::range<1>{count}, [=](sycl::id<1> i) { device_y[i] += float(SAXPY_FACTOR) * device_x[i]; });
  queue.copy(device_y, y.data(), count).wait();
  sycl::free(device_x, queue);
  sycl::free(device_y, queue);
  return queue.get_device().get_info<sycl::info::device::name>();
}
