// Forwards a path that programs include.
#include "types/opencl_types.hpp"
