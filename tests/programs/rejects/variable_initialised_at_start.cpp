// error: the variable `root` in device code (in `main::$_0::operator()() const`) is not a compile-time constant
// levels: 0 2
#include <sycl/sycl.hpp>

#include <cstdlib>

const double root = std::strtod("1.5", nullptr);

int main() {
  sycl::queue queue;
  double *out = sycl::malloc_shared<double>(1, queue);
  queue.single_task([=] { *out = root; }).wait();
}
