// Forwards a path that programs include.
#include "../../../math/bfloat16_math.hpp"
