// Clocks. Every call reads one, since each may have changed ("PTX ISA", section "Special
// Registers": `%clock64` counts the cycles of a multiprocessor, `%globaltimer` nanoseconds).
#include "../generic/types.hpp"

SSCP_BUILTIN u64 __acpp_sscp_read_cycle_clock() { return __builtin_readcyclecounter(); }
SSCP_BUILTIN u64 __acpp_sscp_read_steady_clock() { return __builtin_readsteadycounter(); }
