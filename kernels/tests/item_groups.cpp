// The work-groups of a device that takes SPIR-V among threads of the CPU. Apart from
// tests/items.cpp: the collectives of work-groups know no sub-groups of the device.
#include "../builtins/spirv/group.cpp"
