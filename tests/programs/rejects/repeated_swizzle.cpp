// A swizzle with an element twice cannot be assigned to.
// error: repeated_swizzle.cpp:9
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

int main() {
  sycl::float4 v(1);
  const sycl::float2 w(2);
  v.xx() = w;
}
