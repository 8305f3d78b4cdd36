// error: an image of one, two or three dimensions is sampled at a float, a float2 or a float4
#include <sycl/sycl.hpp>

sycl::float4 read(sycl::host_sampled_image_accessor<sycl::float4, 3> pixels) {
  return pixels.read(sycl::float3(0, 0, 0));
}

int main() {}
