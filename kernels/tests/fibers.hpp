// Work-items as fibers of one thread, which takes a tenth of the time of threads that wake each
// other at every barrier. An item runs until it waits, so those that run first in a turn are ahead
// of the others by all that no barrier holds back. By random numbers, the same in each run, turns
// go forward or backward and leave out some of the items. With IN_ORDER all turns are alike: each
// item runs from one barrier to the next, in the order of their numbers.
#pragma once
#include "../builtins/generic/types.hpp"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace fibers {

#ifdef IN_ORDER
constexpr bool in_order = true;
#else
constexpr bool in_order = false;
#endif

inline u64 self;      // the item that runs
inline bool progress; // an item has run since the start of the turn

struct barrier {
  u32 size, waiting;
  u64 round; // the number of times that all have passed

  void init(u64 items) { *this = {u32(items), 0, 0}; }
  void wait();
};

struct fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool ended = false;
  const barrier *at = nullptr; // where it waits, in which round
  u64 round = 0;

  bool waits() const { return at && at->round == round; }
};

inline std::vector<fiber> all;
inline ucontext_t scheduler;
inline void (*body)();

inline void barrier::wait() {
  progress = true;
  all[self].at = this, all[self].round = round;
  if (++waiting == size) {
    waiting = 0, ++round;
    if (!in_order)
      return;
  }
  swapcontext(&all[self].context, &scheduler);
}

inline void start() {
  body();
  all[self].ended = progress = true;
}

inline u32 random() {
  static u32 state = 1;
  state = state * 1664525 + 1013904223;
  return state >> 16;
}

inline void resume(u64 item) {
  if (all[item].ended || all[item].waits())
    return;
  self = item;
  swapcontext(&scheduler, &all[item].context);
}

// Resumes the items, in runs of 16, of which it leaves out some if it `may_wait`.
inline void turn(bool may_wait) {
  const u64 count = all.size(), runs = (count + 15) / 16;
  const bool forward = in_order || (random() & 1);
  for (u64 i = 0; i < runs; ++i) {
    const u64 first = (forward ? i : runs - 1 - i) * 16;
    const bool waits = !in_order && may_wait && (random() & 1);
    for (u64 k = 0; k < 16 && !waits; ++k)
      if (const u64 item = first + (forward ? k : 15 - k); item < count)
        resume(item);
  }
}

inline bool are_left() {
  return std::any_of(all.begin(), all.end(), [](const fiber &item) { return !item.ended; });
}

// Runs `work` for each of `count` items.
inline void run(u64 count, void (*work)()) {
  constexpr size_t stack = 128 << 10;
  body = work;
  all = std::vector<fiber>(count);
  for (fiber &item : all) {
    item.stack.reset(new char[stack]);
    getcontext(&item.context);
    item.context.uc_stack.ss_sp = item.stack.get();
    item.context.uc_stack.ss_size = stack;
    item.context.uc_link = &scheduler;
    makecontext(&item.context, start, 0);
  }
  for (bool may_wait = false; are_left(); may_wait = progress) {
    progress = false;
    turn(may_wait);
    if (!progress && !may_wait) {
      std::puts("the work-items wait for each other for ever");
      std::abort();
    }
  }
}

} // namespace fibers
