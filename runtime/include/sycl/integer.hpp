// Forwards a path that programs include.
#include "math/integer.hpp"
