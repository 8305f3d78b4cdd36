// Forwards a path that programs include.
#include "../memory/access.hpp"
