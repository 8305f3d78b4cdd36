// Sub-groups are those of the device.
#include "subgroup.hpp"

#include "../generic/sub_group_functions.hpp"
