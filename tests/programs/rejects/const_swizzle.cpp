// A swizzle of a const vec can only be read.
// error: const_swizzle.cpp:7
#include <sycl/sycl.hpp>

int main() {
  const sycl::int4 v(1);
  v.lo() += 1;
}
