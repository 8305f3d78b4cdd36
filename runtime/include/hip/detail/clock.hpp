// Clocks of devices. `clock` and `clock64` count cycles, `wall_clock64` counts at a fixed rate:
// nanoseconds on NVIDIA's GPUs and the host CPU, 100 MHz on AMD's.
#ifndef HIP_DETAIL_CLOCK_HPP
#define HIP_DETAIL_CLOCK_HPP

#include "builtins.hpp"

#include <time.h>

SINTER_HIP_DEVICE long long clock64() { return static_cast<long long>(__acpp_sscp_read_cycle_clock()); }
SINTER_HIP_DEVICE long long __clock64() { return clock64(); }
// Host code has the C library's of this name.
SINTER_HIP_DEVICE clock_t clock() { return static_cast<clock_t>(clock64()); }
SINTER_HIP_DEVICE clock_t __clock() { return clock(); }
SINTER_HIP_DEVICE long long wall_clock64() { return static_cast<long long>(__acpp_sscp_read_steady_clock()); }

#endif
