// Reductions and scans of sub-groups of 4 to 64 work-items, with integers of 32 and 64 bits.
#include "sub_group_operators.hpp"

int main() {
  sycl::queue queue;
  for_each_size<operators_of<int, unsigned, long, unsigned long>::sized>(queue);
  return pass();
}
