// Forwards a path that programs include.
#include "../memory/accessor.hpp"
