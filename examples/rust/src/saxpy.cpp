// y += a * x.
#include <sinter/kernel.hpp>

struct Saxpy {
  float a;
  const float *x;
  float *y;
  std::uint64_t n;
};

SINTER_KERNEL(saxpy, Saxpy, k) {
  const std::size_t i = sinter::global_id();
  if (i < k.n)
    k.y[i] += k.a * k.x[i];
}
