// Forwards a path that programs include.
#include "math/geometric.hpp"
