// Forwards a path that programs include.
#include "../groups/reduction.hpp"
