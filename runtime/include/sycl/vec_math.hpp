// Forwards a path that programs include.
#include "math/vec_math.hpp"
