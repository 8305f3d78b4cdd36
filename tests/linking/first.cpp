#include "functions.hpp"

static int helper(int x) { return x + 1; }

SYCL_EXTERNAL int first(int x) { return helper(second(x)); }
