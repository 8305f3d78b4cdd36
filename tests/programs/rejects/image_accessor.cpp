// error: images are not supported
#include <sycl/sycl.hpp>

sycl::accessor<float, 1, sycl::access_mode::read, sycl::target::image> elements;

int main() {}
