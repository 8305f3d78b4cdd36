// Forwards a path that programs include.
#include "types/bit_cast.hpp"
