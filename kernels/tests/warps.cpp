// NVIDIA's collectives, run by fibers: with the instructions of new GPUs, or without them.
#include "warps.hpp"

#include "../builtins/ptx/group.cpp"
#undef MOVE
#undef COMBINE
#include "../builtins/ptx/sub_group.cpp"

[[gnu::constructor]] static void choose_gpu() { warps::architecture = ARCHITECTURE; }
