// The work-items of a SPIR-V device, emulated by fibers. Included before the sources of the
// collectives and before tests/groups.cpp, which starts them. WIDTH is the sub-group size;
// the other macros are the device's features.
#pragma once
#include "fibers.hpp"

#define WARPS

namespace items {

// Items that execute an instruction together, and the values that they exchange.
struct team {
  fibers::barrier barrier;
  u64 words[1024];
  u32 operations[1024], size;
};

inline team whole, parts[1024];
inline u64 all;

inline void start(team &t, u64 size) {
  t.size = u32(size);
  t.barrier.init(size);
}

} // namespace items

inline void prepare(u64 count) {
  items::all = count;
  items::start(items::whole, count);
  for (u64 first = 0; first < count; first += WIDTH)
    items::start(items::parts[first / WIDTH], count - first < WIDTH ? count - first : WIDTH);
}
