// Integer functions are not there for floating-point elements.
// error: no matching function for call to 'popcount'
#include <sycl/sycl.hpp>

int main() { return static_cast<int>(sycl::popcount(sycl::float4(1)).x()); }
