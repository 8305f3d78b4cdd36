// Forwards a path that programs include.
#include "../../memory/local_memory.hpp"
