// The functions of half.
#include "cases.hpp"

void numerics::add_half(std::vector<measurement> &to) {
  add_sycl<half>({to});
  add_arithmetic(cases<half>{to});
}
