// Forwards a path that programs include.
#include "../../types/bfloat16.hpp"
