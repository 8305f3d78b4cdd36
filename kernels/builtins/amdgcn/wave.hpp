// Sub-groups as waves of 32 or 64 work-items, and the exchange of values within one.
//
// Scans and reductions combine values in a tree over neighbours in the order of the work-items: the
// tree is the same in every run, and of equal minima the first one wins. All members of the
// sub-group take part; lanes without a work-item are inactive, and values read from them are
// undefined.
//
// A row is 16 lanes, within which one instruction can exchange words (DPP); values of single lanes
// are read as scalars.
#pragma once
#include "../generic/exchange.hpp"
#include "target.hpp"

namespace sub_group {

INLINED u32 width() { return (u32)__sinter_amdgcn_wave_size(); }

INLINED u32 lane() {
  u32 low = __builtin_amdgcn_mbcnt_lo(~0u, 0);
  return width() == 32 ? low : __builtin_amdgcn_mbcnt_hi(~0u, low);
}

INLINED u32 uniform(u32 x) { return (u32)__builtin_amdgcn_readfirstlane((i32)x); }

} // namespace sub_group

#include "../generic/sub_groups.hpp"

namespace sub_group {

constexpr u32 half = 32, row = 16;

// The word of one lane, for a uniform lane number.
INLINED u32 word_of(u32 word, u32 item) { return (u32)__builtin_amdgcn_readlane((i32)word, (i32)item); }
template <class T> INLINED T value_of(T x, u32 item) {
  return by_words(x, [=](u32 word) INLINED_LAMBDA { return word_of(word, item); });
}

template <class T> INLINED T broadcast(T x, u32 sender) {
  return value_of(x, uniform(sender));
}

INLINED u32 permuted(u32 word, u32 item) { return (u32)__builtin_amdgcn_ds_bpermute((i32)(item * 4), (i32)word); }

// For a full wave of 64 whose halves are permuted separately.
INLINED u32 word_of_halves(u32 word, u32 item) {
  u32 near = permuted(word, item), far = permuted(__builtin_amdgcn_permlane64(word), item);
  return (item ^ lane()) & half ? far : near;
}

// Reads one lane after the other.
INLINED u32 word_in_turn(u32 word, u32 item) {
  u32 result = word;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < 2 * half; ++i) {
    u32 other = word_of(word, i);
    result = item == i ? other : result;
  }
  return result;
}

// The instruction counts lanes from the beginning of the wave up to gfx9, from that of its half
// from gfx10 on ("RDNA" Instruction Set Architecture, DS_BPERMUTE_B32). It ignores higher bits. The
// halves of a partial wave cannot exchange their words, since lanes of the first half have no
// counterpart in the second.
INLINED u32 word_from(u32 word, u32 item) {
  if (width() == half || __sinter_amdgcn_isa() < isa::gfx10)
    return permuted(word, item);
  if (__sinter_amdgcn_isa() >= isa::gfx11 && uniform(members()) == width())
    return word_of_halves(word, item);
  return word_in_turn(word, item);
}

// The value of another work-item; undefined if there is no such item.
template <class T> INLINED T from(T x, u32 item) {
  return by_words(x, [=](u32 word) INLINED_LAMBDA { return word_from(word, item); });
}
template <class T> INLINED T from_above(T x, u32 distance) { return from(x, lane() + distance); }
template <class T> INLINED T from_below(T x, u32 distance) { return from(x, lane() - distance); }
template <class T> INLINED T from_partner(T x, u32 difference) { return from(x, lane() ^ difference); }

// Lanes that do not run it have no bit.
INLINED u64 active() { return __builtin_amdgcn_ballot_w64(true); }
INLINED u64 ballot(u64, bool x) { return __builtin_amdgcn_ballot_w64(x); }
template <class T> INLINED T from_active(u64, T x, u32 item) { return from(x, item); }

INLINED bool any(bool x) { return __builtin_amdgcn_ballot_w64(x) != 0; }
INLINED bool all(bool x) { return __builtin_amdgcn_ballot_w64(!x) == 0; }

// Controls of an exchange within a row ("User Guide for AMDGPU Backend" and the manuals of the
// instruction sets, DPP_CTRL).
constexpr i32 swapped_pairs = 0xb1, swapped_halves_of_quads = 0x4e, mirrored_row = 0x140, mirrored_half_row = 0x141,
              shifted_up = 0x110;

// The value of the lane that the control selects; zero if it selects none. The code generator folds
// it into the instruction that uses it.
template <i32 Control, class T> INLINED T in_row(T x) {
  return by_words(
      x, [](u32 word) INLINED_LAMBDA { return (u32)__builtin_amdgcn_mov_dpp((i32)word, Control, 0xf, 0xf, true); });
}

// A tree step in which all lanes combined so far have the same value: any of them may be read.
template <i32 Control, class T> INLINED T pair(operation op, T x, u32 step) {
  T other = in_row<Control>(x);
  bool is_second = is_ordered<T>(op) && (lane() & step);
  return is_second ? combine(op, other, x) : combine(op, x, other);
}

// Reduces a full wave. The rows are combined as scalars.
template <class T> INLINED T reduce_whole(operation op, T x) {
  x = pair<swapped_pairs>(op, x, 1);
  x = pair<swapped_halves_of_quads>(op, x, 2);
  x = pair<mirrored_half_row>(op, x, 4);
  x = pair<mirrored_row>(op, x, 8);
  T low = combine(op, value_of(x, 0), value_of(x, row));
  if (width() == half)
    return low;
  return combine(op, low, combine(op, value_of(x, half), value_of(x, half + row)));
}

template <i32 Step, class T> INLINED T scan_step(operation op, T x, u32 place) {
  T other = in_row<shifted_up + Step>(x);
  return place >= Step ? combine(op, other, x) : x;
}

// Each row is scanned separately; then odd rows add the even ones before them, and the second half
// the first.
template <class T> INLINED T inclusive_scan(operation op, T x) {
  u32 self = lane(), place = self % row;
  x = scan_step<1>(op, x, place);
  x = scan_step<2>(op, x, place);
  x = scan_step<4>(op, x, place);
  x = scan_step<8>(op, x, place);
  T first = value_of(x, row - 1);
  if (width() == half)
    return self & row ? combine(op, first, x) : x;
  T third = value_of(x, half + row - 1), before = self & half ? third : first;
  x = self & row ? combine(op, before, x) : x;
  T low = value_of(x, half - 1);
  return self & half ? combine(op, low, x) : x;
}

// The last member has the result, in the order of a scan.
template <class T> INLINED T reduce(operation op, T x) {
  u32 count = uniform(members());
  return count == width() ? reduce_whole(op, x) : value_of(inclusive_scan(op, x), count - 1);
}

// The value of the previous item; undefined for the first one.
template <class T> INLINED T from_previous(T x) {
  T other = in_row<shifted_up + 1>(x), first = value_of(x, row - 1);
  u32 self = lane();
  other = self == row ? first : other;
  if (width() == half)
    return other;
  T second = value_of(x, half - 1), third = value_of(x, half + row - 1);
  other = self == half ? second : other;
  return self == half + row ? third : other;
}

// `before` is the result of the first work-item; every other one combines it with the scan up to
// the previous item.
template <class T> INLINED T after(operation op, T before, T inclusive) {
  T previous = from_previous(inclusive);
  return lane() == 0 ? before : combine(op, before, previous);
}

template <class T> INLINED T exclusive_scan(operation op, T x, T init) { return after(op, init, inclusive_scan(op, x)); }

} // namespace sub_group
