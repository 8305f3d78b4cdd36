// Cooperative groups with scans.
#include "../cooperative_groups.h"
#ifdef __HIP__
#include "../../hip/detail/group_reductions.hpp"
#endif
