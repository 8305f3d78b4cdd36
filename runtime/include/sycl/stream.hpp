// Forwards a path that programs include.
#include "runtime/stream.hpp"
