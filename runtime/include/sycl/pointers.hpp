// Forwards a path that programs include.
#include "memory/multi_ptr.hpp"
