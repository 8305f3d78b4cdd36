// The work-items of a SPIR-V device, emulated by CPU threads. Included before the sources of the
// collectives and before tests/groups.cpp, which starts the threads. WIDTH is the sub-group size;
// the other macros are the device's features.
#pragma once
#include "../builtins/generic/types.hpp"
#include <cstdlib>
#include <pthread.h>
#include <unistd.h>

#define WARPS

namespace items {

// Items that execute an instruction together, and the values that they exchange.
struct team {
  pthread_barrier_t barrier;
  u64 words[1024];
  u32 operations[1024], size;
};

inline team whole, parts[1024];
inline u64 all;
inline thread_local u64 self;

inline void start(team &t, u64 size) {
  t.size = u32(size);
  pthread_barrier_init(&t.barrier, nullptr, t.size);
}

} // namespace items

inline void prepare(u64 count) {
  static bool again = false;
  for (u64 i = 0; again && i < (items::all + WIDTH - 1) / WIDTH; ++i)
    pthread_barrier_destroy(&items::parts[i].barrier);
  if (again)
    pthread_barrier_destroy(&items::whole.barrier);
  again = true;
  items::all = count;
  items::start(items::whole, count);
  for (u64 first = 0; first < count; first += WIDTH)
    items::start(items::parts[first / WIDTH], count - first < WIDTH ? count - first : WIDTH);
}

inline void enter(u64 self, u64) { items::self = self; }

// After a barrier every other item is delayed, so that accesses that another barrier should have
// held back come first.
inline void be_late() {
  static thread_local u64 number = 0;
  if ((++number + items::self) % 2 == 0)
    usleep(200);
}
#define BEHIND_BARRIER be_late()
