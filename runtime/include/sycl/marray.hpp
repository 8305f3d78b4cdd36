// Forwards a path that programs include.
#include "types/marray.hpp"
