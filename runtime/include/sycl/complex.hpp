// Forwards a path that programs include.
#include "types/complex.hpp"
