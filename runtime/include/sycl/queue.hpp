// Forwards a path that programs include.
#include "runtime/queue.hpp"
