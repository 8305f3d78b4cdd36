// Forwards a path that programs include.
#include "groups/barrier.hpp"
