// Forwards a path that programs include.
#include "../memory/usm.hpp"
