// Forwards a path that programs include.
#include "groups/async_copy.hpp"
