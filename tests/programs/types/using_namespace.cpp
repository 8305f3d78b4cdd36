// `using namespace sycl` beside the C library's functions of the same names, and OpenCL's names of
// constants.
// levels: 0 2
#include <cmath>
#include <sycl/sycl.hpp>

#include "../check.hpp"

using namespace sycl;

static_assert(sizeof(cl_ulong) == 8 && std::is_same_v<sycl::cl_int, sycl::opencl::cl_int> && sizeof(cl_short) == 2);

namespace {

double sum(double x, float y) {
  return sqrt(x) + fabs(-x) + pow(x, 3.0) + fma(x, x, x) + floor(x) + atan2(0.0, x) + sqrt(y) + sycl::pow(y, 2);
}

} // namespace

int main() {
  queue q;
  double *out = malloc_shared<double>(1, q);
  q.single_task([=] { *out = sum(4.0, 9.0f); }).wait();
  CHECK_EQUAL(*out, 2 + 4 + 64 + 20 + 4 + 0 + 3 + 81);
  CHECK_EQUAL(sum(4.0, 9.0f), *out);
  free(out, q);
  return pass();
}
