// Forwards a path that programs include.
#include "math/relational.hpp"
