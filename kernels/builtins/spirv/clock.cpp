// Clocks, of devices with SPV_KHR_shader_clock; for others the translation fails and says so.
// Every call reads one, since each may have changed.
#include "instructions.hpp"

namespace spirv {

u64 ReadClock(u32 scope) SPIRV_OP(ReadClockKHR, "u64");

} // namespace spirv

SSCP_BUILTIN u64 __acpp_sscp_read_cycle_clock() { return spirv::ReadClock(spirv::subgroup); }
SSCP_BUILTIN u64 __acpp_sscp_read_steady_clock() { return spirv::ReadClock(spirv::device); }
