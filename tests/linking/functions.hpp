// Functions that other files define.
#include <sycl/sycl.hpp>

SYCL_EXTERNAL int first(int x);
SYCL_EXTERNAL int second(int x);
SYCL_EXTERNAL int defined_nowhere(int x);
