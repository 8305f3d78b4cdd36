// Forwards a path that programs include.
#include "groups/scratch_algorithms.hpp"
