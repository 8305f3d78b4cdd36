// Forwards a path that programs include.
#include "../runtime/context.hpp"
