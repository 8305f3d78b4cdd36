// Forwards a path that programs include.
#include "memory/memory.hpp"
