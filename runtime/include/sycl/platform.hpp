// Forwards a path that programs include.
#include "runtime/platform.hpp"
