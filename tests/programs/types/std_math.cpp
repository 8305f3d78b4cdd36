// Functions of <cmath> and C math called directly in kernels. The inputs are exact, so that
// contraction does not change the results.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <cmath>
#include <math.h>

#include "../check.hpp"

static double doubles(double x) {
  return std::sqrt(x) + std::fabs(-x) + std::exp(-x) + std::log(x) + std::pow(x, 1.25) + std::sin(x) + std::cos(x) +
         std::floor(x) + std::ceil(x) + std::fmax(x, 2.0) + std::fmin(x, 2.0) + std::abs(-x) + fma(x, x, 1.0) +
         tanh(x) + atan2(x, 3.0) + std::fmod(x, 0.75) + std::round(x) + std::trunc(x) + std::hypot(x, 1.0);
}
static float floats(float x) {
  return sqrtf(x) + fabsf(-x) + expf(-x) + logf(x) + powf(x, 1.25f) + sinf(x) + cosf(x) + floorf(x) + ceilf(x) +
         fmaxf(x, 2.0f) + fminf(x, 2.0f) + std::abs(-x) + std::sqrt(x) + erff(x) + fmodf(x, 0.75f);
}

int main() {
  sycl::queue queue;
  double *d = sycl::malloc_shared<double>(100, queue);
  float *f = sycl::malloc_shared<float>(100, queue);
  int *n = sycl::malloc_shared<int>(100, queue);
  queue.parallel_for(100, [=](int i) {
    d[i] = doubles(0.5 + i * 0.125);
    f[i] = floats(0.5f + float(i) * 0.125f);
    n[i] = std::abs(i - 50) + (std::isnan(d[i]) ? 1000 : 0) + int(lround(d[i]) > 0);
  }).wait();
  for (int i = 0; i < 100; ++i) {
    const double x = doubles(0.5 + i * 0.125);
    const float y = floats(0.5f + float(i) * 0.125f);
    CHECK(std::fabs(d[i] - x) <= 1e-13 * std::fabs(x));
    CHECK(std::fabs(f[i] - y) <= 2e-6f * std::fabs(y));
    CHECK_EQUAL(n[i], std::abs(i - 50) + 1);
  }
  sycl::free(d, queue);
  sycl::free(f, queue);
  sycl::free(n, queue);
  return pass();
}
