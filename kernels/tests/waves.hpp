// Emulates AMD's instructions for exchanging values between work-items with fibers. Included before
// the sources of the collectives and before tests/groups.cpp, which starts them. WAVE and ISA
// select the processor.
#pragma once
#include "fibers.hpp"

#define WARPS

namespace waves {

struct wave {
  fibers::barrier barrier;
  u32 words[WAVE], operations[WAVE];
  u64 members;
};

inline wave all[1024 / WAVE];
inline fibers::barrier group;
inline u64 items;

inline wave &own() { return all[fibers::self / WAVE]; }
inline u32 lane() { return u32(fibers::self % WAVE); }
inline bool is_member(u32 lane) { return lane < WAVE && (own().members >> lane & 1); }

// Every member stores a word; then each computes its result from all words. They must be at the
// same instruction.
template <class Result> auto exchange(u32 operation, u32 word, Result result) {
  wave &w = own();
  w.words[lane()] = word;
  w.operations[lane()] = operation;
  w.barrier.wait();
  for (u32 i = 0; i < WAVE; ++i)
    if (is_member(i) && w.operations[i] != operation)
      std::abort();
  auto found = result(w.words);
  w.barrier.wait();
  return found;
}

// The value of a lane without a work-item.
constexpr u32 nothing = 0xdeadbeef;
inline u32 word_of(const u32 *words, u32 lane) { return is_member(lane) ? words[lane] : nothing; }

// The lane that a DPP control selects, as in the ISA manuals; outside of the wave if there is none.
inline u32 named(u32 control, u32 lane) {
  const u32 row = lane & ~15u, place = lane & 15;
  if (control < 0x100)
    return (lane & ~3u) | (control >> 2 * (lane & 3) & 3);
  if (control > 0x110 && control < 0x120)
    return place >= control - 0x110 ? lane - (control - 0x110) : WAVE;
  if (control == 0x140)
    return row | (15 - place);
  if (control == 0x141)
    return row | (place & 8) | (7 - (place & 7));
  std::abort();
}

} // namespace waves

extern "C" {
inline i32 __sinter_amdgcn_isa() { return ISA; }
inline i32 __sinter_amdgcn_wave_size() { return WAVE; }
}

inline u32 __builtin_amdgcn_mbcnt_lo(u32 mask, u32 sum) {
  const u32 below = waves::lane() < 32 ? (1u << waves::lane()) - 1 : ~0u;
  return sum + u32(__builtin_popcount(mask & below));
}
inline u32 __builtin_amdgcn_mbcnt_hi(u32 mask, u32 sum) {
  const u32 below = waves::lane() < 32 ? 0 : (1u << (waves::lane() - 32)) - 1;
  return sum + u32(__builtin_popcount(mask & below));
}
// All members read the same lane: the number is a scalar.
inline i32 __builtin_amdgcn_readlane(i32 x, i32 lane) {
  const u32 operation = 1 | u32(lane) << 16;
  return waves::exchange(operation, u32(x), [=](const u32 *words) { return i32(waves::word_of(words, u32(lane) % WAVE)); });
}
inline i32 __builtin_amdgcn_readfirstlane(i32 x) {
  return waves::exchange(3, u32(x), [](const u32 *words) { return i32(words[0]); });
}
// Inactive lanes give zero. From gfx10 on each half of a wave of 64 has its own lanes.
inline i32 __builtin_amdgcn_ds_bpermute(i32 address, i32 x) {
  return waves::exchange(4, u32(x), [=](const u32 *words) {
    const u32 lanes = ISA >= 10000 ? 32 : WAVE, first = waves::lane() & ~(lanes - 1);
    const u32 from = first + u32(address) / 4 % lanes;
    return waves::is_member(from) ? i32(words[from]) : 0;
  });
}
inline u32 __builtin_amdgcn_permlane64(u32 x) {
  if (ISA < 11000)
    std::abort();
  return waves::exchange(5, x, [](const u32 *words) { return waves::word_of(words, waves::lane() ^ 32); });
}
inline i32 __builtin_amdgcn_mov_dpp(i32 x, i32 control, i32 rows, i32 banks, bool zeroes) {
  if (rows != 15 || banks != 15 || !zeroes)
    std::abort();
  return waves::exchange(6 | u32(control) << 16, u32(x), [=](const u32 *words) {
    const u32 from = waves::named(u32(control), waves::lane());
    return waves::is_member(from) ? i32(words[from]) : 0;
  });
}
inline u64 __builtin_amdgcn_ballot_w64(bool x) {
  return waves::exchange(7, x, [](const u32 *words) {
    u64 sum = 0;
    for (u32 i = 0; i < WAVE; ++i)
      sum |= waves::is_member(i) ? u64(words[i]) << i : 0;
    return sum;
  });
}
inline void __builtin_amdgcn_fence(unsigned, const char *, ...) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __builtin_amdgcn_s_barrier() { waves::group.wait(); }

inline void prepare(u64 count) {
  waves::items = count;
  waves::group.init(count);
  for (u64 first = 0; first < count; first += WAVE) {
    const u64 members = count - first < WAVE ? count - first : WAVE;
    waves::all[first / WAVE].members = ~0ull >> (64 - members);
    waves::all[first / WAVE].barrier.init(members);
  }
}
