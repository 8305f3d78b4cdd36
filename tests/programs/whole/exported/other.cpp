#include <sycl/sycl.hpp>

static int helper(int x) { return x * x; }

SYCL_EXTERNAL int exported(int x) { return helper(x) + 7; }
