// Emulates NVIDIA's instructions for exchanging values between work-items with fibers.
// Included before the sources of the collectives and before tests/groups.cpp, which starts them.
#pragma once
#include "fibers.hpp"

#define WARPS

namespace warps {

struct warp {
  fibers::barrier barrier;
  u32 words[32], mask;
  i32 combined;
};

inline warp all[32];
inline fibers::barrier group;
inline i32 votes[1024], architecture;
inline u64 items;

inline warp &own() { return all[fibers::self / 32]; }

// Every member stores a word; then each computes its result from all words.
template <class Result> auto exchange(u32 mask, u32 word, Result result) {
  warp &w = own();
  if (mask != w.mask)
    std::abort();
  w.words[fibers::self % 32] = word;
  w.barrier.wait();
  auto found = result(w.words);
  w.barrier.wait();
  return found;
}

template <class Combine> i32 reduce(i32 mask, i32 x, Combine combine) {
  return exchange((u32)mask, (u32)x, [&](const u32 *words) {
    i32 sum = (i32)words[0];
    for (u32 lane = 1; lane < 32 && ((u32)mask >> lane & 1); ++lane)
      sum = combine(sum, (i32)words[lane]);
    return sum;
  });
}

template <class Combine> i32 vote(i32 x, Combine combine) {
  votes[fibers::self] = x;
  group.wait();
  i32 sum = votes[0];
  for (u64 i = 1; i < items; ++i)
    sum = combine(sum, votes[i]);
  group.wait();
  return sum;
}

} // namespace warps

// A lane that is not a member has an arbitrary word.
inline i32 word_of(const u32 *words, u32 lane) { return lane < 32 && (warps::own().mask >> lane & 1) ? (i32)words[lane] : -77; }

inline u32 __nvvm_read_ptx_sreg_laneid() { return u32(fibers::self % 32); }
inline i32 __nvvm_shfl_sync_idx_i32(u32 mask, i32 x, i32 lane, i32) {
  return warps::exchange(mask, (u32)x, [=](const u32 *words) { return word_of(words, (u32)lane); });
}
inline i32 __nvvm_shfl_sync_down_i32(u32 mask, i32 x, i32 distance, i32) {
  const u32 from = u32(fibers::self % 32) + (u32)distance;
  return warps::exchange(mask, (u32)x, [=](const u32 *words) { return word_of(words, from); });
}
inline i32 __nvvm_shfl_sync_up_i32(u32 mask, i32 x, i32 distance, i32) {
  const u32 from = u32(fibers::self % 32) - (u32)distance;
  return warps::exchange(mask, (u32)x, [=](const u32 *words) { return word_of(words, from); });
}
inline i32 __nvvm_shfl_sync_bfly_i32(u32 mask, i32 x, i32 lanes, i32) {
  const u32 from = u32(fibers::self % 32) ^ (u32)lanes;
  return warps::exchange(mask, (u32)x, [=](const u32 *words) { return word_of(words, from); });
}
inline bool __nvvm_vote_any_sync(u32 mask, bool x) {
  return warps::reduce((i32)mask, x, [](i32 a, i32 b) { return a | b; }) != 0;
}
inline bool __nvvm_vote_all_sync(u32 mask, bool x) {
  return warps::reduce((i32)mask, x, [](i32 a, i32 b) { return a & b; }) != 0;
}
inline u32 __nvvm_activemask() { return warps::own().mask; }
inline u32 __nvvm_vote_ballot_sync(u32 mask, bool x) {
  return warps::exchange(mask, x, [=](const u32 *words) {
    u32 votes = 0;
    for (u32 lane = 0; lane < 32; ++lane)
      votes |= (mask >> lane & words[lane] & 1) << lane;
    return votes;
  });
}
#define REDUX(NAME, T, EXPRESSION)                                                                                     \
  inline T __nvvm_redux_sync_##NAME(T x, i32 mask) {                                                                    \
    return (T)warps::reduce(mask, (i32)x, [](i32 s, i32 t) {                                                           \
      T a = (T)s, b = (T)t;                                                                                            \
      return (i32)(EXPRESSION);                                                                                        \
    });                                                                                                                \
  }
REDUX(add, i32, u32(a) + u32(b))
REDUX(and, i32, a & b)
REDUX(or, i32, a | b)
REDUX(xor, i32, a ^ b)
REDUX(min, i32, b < a ? b : a)
REDUX(max, i32, a < b ? b : a)
REDUX(umin, u32, b < a ? b : a)
REDUX(umax, u32, a < b ? b : a)
inline void __nvvm_bar_sync(i32) { warps::group.wait(); }
inline i32 __nvvm_bar0_or(i32 x) {
  return warps::vote(x, [](i32 a, i32 b) { return i32(a || b); });
}
inline i32 __nvvm_bar0_and(i32 x) {
  return warps::vote(x, [](i32 a, i32 b) { return i32(a && b); });
}
extern "C" inline i32 __sinter_reflect(const char *) { return warps::architecture; }

inline void prepare(u64 count) {
  warps::items = count;
  warps::group.init(count);
  for (u64 first = 0; first < count; first += 32) {
    const u64 members = count - first < 32 ? count - first : 32;
    warps::all[first / 32].mask = ~0u >> (32 - members);
    warps::all[first / 32].barrier.init(members);
  }
}
