// Sub-groups are waves.
#include "wave.hpp"

#include "../generic/sub_group_functions.hpp"
