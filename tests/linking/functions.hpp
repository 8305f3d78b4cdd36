// Functions that other files define. Those need nothing of SYCL but its macro.
#include <sycl/detail/config.hpp>

SYCL_EXTERNAL int first(int x);
SYCL_EXTERNAL int second(int x);
SYCL_EXTERNAL int defined_nowhere(int x);
