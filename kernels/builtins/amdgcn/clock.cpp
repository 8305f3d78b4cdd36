// Clocks. Every call reads one, since each may have changed ("User Guide for AMDGPU Backend":
// s_memtime, or where there is none a register; the steady one ticks at 100 MHz).
#include "../generic/types.hpp"

SSCP_BUILTIN u64 __acpp_sscp_read_cycle_clock() { return __builtin_readcyclecounter(); }
SSCP_BUILTIN u64 __acpp_sscp_read_steady_clock() { return __builtin_readsteadycounter(); }
