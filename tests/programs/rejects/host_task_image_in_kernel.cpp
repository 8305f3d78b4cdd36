// error: a kernel and everything it captures must be device copyable
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue;
  sycl::unsampled_image<1> image(sycl::image_format::r32g32b32a32_sfloat, sycl::range<1>(4));
  queue.submit([&](sycl::handler &group) {
    const sycl::unsampled_image_accessor<sycl::float4, 1, sycl::access_mode::read, sycl::image_target::host_task> pixels(
        image, group);
    group.single_task([=] { static_cast<void>(pixels.size()); });
  });
}
