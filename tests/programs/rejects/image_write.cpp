// error: no matching member function for call to 'write'
#include <sycl/sycl.hpp>

void write(sycl::unsampled_image_accessor<sycl::float4, 1, sycl::access_mode::read> pixels) {
  pixels.write(0, sycl::float4());
}

int main() {}
