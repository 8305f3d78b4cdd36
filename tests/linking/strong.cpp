// Overrides the weak definition in second.cpp, which the kernel reaches through first.cpp.
#include "functions.hpp"

SYCL_EXTERNAL int second(int x) { return 100 + x; }
