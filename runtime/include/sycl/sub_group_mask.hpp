// Forwards a path that programs include.
#include "groups/sub_group_mask.hpp"
