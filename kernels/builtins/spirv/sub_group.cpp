// Sub-groups are the device's.
#include "subgroup.hpp"

#include "../generic/sub_group_functions.hpp"
