// Sub-groups are warps.
#include "warp.hpp"

#include "../generic/sub_group_functions.hpp"
