// Forwards a path that programs include.
#include "../runtime/info.hpp"
