// Forwards a path that programs include.
#include "../sycl.hpp"
