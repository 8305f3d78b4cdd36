// The collectives of AMD's GPUs among threads of the CPU.
#include "waves.hpp"

#include "../builtins/amdgcn/group.cpp"
#undef MOVE
#undef COMBINE
#include "../builtins/amdgcn/sub_group.cpp"
