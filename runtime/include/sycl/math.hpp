// Forwards a path that programs include.
#include "math/math.hpp"
