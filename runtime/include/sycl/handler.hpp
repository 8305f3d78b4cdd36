// Forwards a path that programs include.
#include "runtime/handler.hpp"
