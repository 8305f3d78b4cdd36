#include "functions.hpp"

static const int table[] = {17, 18, 19};
static int helper(int x) { return x * table[x % 3]; }

SYCL_EXTERNAL int through_second(int x) { return in_every_unit(helper(x)) + twice(x); }

SYCL_EXTERNAL int count_in_second(int x) { return x <= 0 ? 0 : 1 + count_in_first(x - 1); }
