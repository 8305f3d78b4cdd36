// Reductions and scans of sub-groups of 4 to 64 work-items, with floating-point numbers and boolean
// values.
#include "sub_group_operators.hpp"

int main() {
  sycl::queue queue;
  for_each_size<operators_of<sycl::half, float, bool>::sized>(queue);
  if (queue.get_device().has(sycl::aspect::fp64))
    for_each_size<operators_of<double>::sized>(queue);
  return pass();
}
