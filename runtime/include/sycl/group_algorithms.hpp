// Forwards a path that programs include.
#include "groups/group_algorithms.hpp"
