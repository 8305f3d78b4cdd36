// Forwards a path that programs include.
#include "memory/atomic.hpp"
