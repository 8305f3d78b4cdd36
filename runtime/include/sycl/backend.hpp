// Forwards a path that programs include.
#include "runtime/backend.hpp"
