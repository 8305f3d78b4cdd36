// Forwards a path that programs include.
#include "runtime/event.hpp"
