// Forwards a path that programs include.
#include "math/complex_math.hpp"
