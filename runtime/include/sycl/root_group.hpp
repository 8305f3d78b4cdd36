// Forwards a path that programs include.
#include "groups/root_group.hpp"
