// Forwards to the cooperative groups, which have this.
#include "../cooperative_groups.h"
