// Forwards a path that programs include.
#include "types/half.hpp"
