// Forwards a path that programs include.
#include "runtime/device.hpp"
