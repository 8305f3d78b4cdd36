// error: the vec has no such element
#include <sycl/sycl.hpp>

int main() { return static_cast<int>(sycl::float3(1).w()); }
