// AMD's collectives, run by fibers.
#include "waves.hpp"

#include "../builtins/amdgcn/group.cpp"
#undef MOVE
#undef COMBINE
#include "../builtins/amdgcn/sub_group.cpp"
