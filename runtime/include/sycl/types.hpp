// Forwards a path that programs include.
#include "types/vec.hpp"
