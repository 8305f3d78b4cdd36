#include "functions.hpp"

static int helper(int x) { return x * 3; }

SYCL_EXTERNAL __attribute__((weak)) int second(int x) { return helper(x); }
