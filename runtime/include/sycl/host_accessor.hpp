// Forwards a path that programs include.
#include "memory/host_accessor.hpp"
