// The work-groups of a SPIR-V device, emulated by fibers. Separate from tests/items.cpp:
// work-group collectives do not use the device's sub-groups.
#include "../builtins/spirv/group.cpp"
