// The functions of f64.
#include "cases.hpp"

void numerics::add_f64(std::vector<measurement> &to) {
  add_sycl<double>({to});
  add_arithmetic(cases<double>{to});
}
