// error: an accessor to an image reads and writes sycl::int4, uint4, float4 or half4
#include <sycl/sycl.hpp>

int main() {
  sycl::image<1> image(sycl::image_channel_order::r, sycl::image_channel_type::fp32, sycl::range<1>(4));
  sycl::accessor<float, 1, sycl::access_mode::read, sycl::target::host_image> elements(image);
}
