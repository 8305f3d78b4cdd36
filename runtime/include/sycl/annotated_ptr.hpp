// Forwards a path that programs include.
#include "memory/annotated_ptr.hpp"
