#include "functions.hpp"

static const int table[] = {7, 8, 9};
static int helper(int x) { return x + table[x % 3]; }

SYCL_EXTERNAL int through_first(int x) { return in_every_unit(helper(x)) + back_in_main(x) + twice(x); }

SYCL_EXTERNAL int count_in_first(int x) { return x <= 0 ? 0 : 1 + count_in_second(x - 1); }

SYCL_EXTERNAL int scaled_through_first(int x, const sycl::kernel_handler &constants) {
  return scaled(x, constants) + constants.get_specialization_constant<scale>();
}
