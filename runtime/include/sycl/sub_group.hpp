// Forwards a path that programs include.
#include "groups/sub_group.hpp"
