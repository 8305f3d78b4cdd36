// Cube roots outside of kernels are within 2 units in the last place; those of glibc are not.
// devices: host
#include <sycl/sycl.hpp>

#include <cmath>

#include "../check.hpp"

int main() {
  for (int exponent = -1074; exponent < 1020; exponent += 3)
    for (int i = 0; i < 512; ++i) {
      const double x = std::ldexp(1 + i * 0x1.0101p-9, exponent);
      const long double exact = std::cbrt(static_cast<long double>(x));
      CHECK(std::fabs(sycl::cbrt(x) - exact) <= 2 * std::ldexp(1.0L, std::ilogb(exact) - 52));
    }
  CHECK_EQUAL(sycl::cbrt(27.0), 3.0);
  CHECK_EQUAL(sycl::cbrt(27.0f), 3.0f);
  return pass();
}
