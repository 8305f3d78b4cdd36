// Forwards a path that programs include.
#include "runtime/exception.hpp"
