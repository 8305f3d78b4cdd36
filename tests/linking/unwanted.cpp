// A file that cannot be linked.
#include "functions.hpp"

SYCL_EXTERNAL int unwanted(int x) { return defined_nowhere(x); }
