// Forwards a path that programs include.
#include "runtime/host_task.hpp"
