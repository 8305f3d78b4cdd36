// Forwards a path that programs include.
#include "runtime/selector.hpp"
