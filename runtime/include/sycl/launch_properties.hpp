// Forwards a path that programs include.
#include "runtime/launch_properties.hpp"
