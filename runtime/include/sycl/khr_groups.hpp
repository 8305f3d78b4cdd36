// Forwards a path that programs include.
#include "groups/khr_groups.hpp"
