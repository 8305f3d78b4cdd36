// error: images are not supported
#include <sycl/sycl.hpp>

sycl::accessor<float, 1, sycl::access_mode::read, static_cast<sycl::target>(9)> elements;

int main() {}
