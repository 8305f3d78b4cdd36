// Forwards a path that programs include.
#include "math/half_math.hpp"
