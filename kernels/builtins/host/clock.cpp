// Clocks. Every call reads one, since each may have changed.
#include "../generic/types.hpp"

// `timespec` and CLOCK_MONOTONIC of Linux.
struct time {
  long seconds, nanoseconds;
};
constexpr i32 monotonic = 1;
extern "C" i32 clock_gettime(i32 clock, time *now);

SSCP_BUILTIN u64 __acpp_sscp_read_cycle_clock() { return __builtin_readcyclecounter(); }
SSCP_BUILTIN u64 __acpp_sscp_read_steady_clock() {
  time now;
  clock_gettime(monotonic, &now);
  return (u64)now.seconds * 1000000000 + (u64)now.nanoseconds;
}
