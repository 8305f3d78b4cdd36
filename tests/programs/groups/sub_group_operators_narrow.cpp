// Reductions and scans of sub-groups of 4 to 64 work-items, with integers of 8 and 16 bits.
#include "sub_group_operators.hpp"

int main() {
  sycl::queue queue;
  for_each_size<operators_of<signed char, unsigned char, short, unsigned short>::sized>(queue);
  return pass();
}
