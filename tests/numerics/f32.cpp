// The functions of f32, with the families native and half_precision.
#include "cases.hpp"

void numerics::add_f32(std::vector<measurement> &to) {
  add_sycl<float>({to});
  add_native({to});
  add_arithmetic(cases<float>{to});
}
