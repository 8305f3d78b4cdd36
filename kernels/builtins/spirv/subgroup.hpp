// Sub-groups of the device, and the exchange of values within one. The device decides their size
// and which items belong together. On a device without sub-groups each item is one.
//
// Operations without an instruction are done in turn: every item broadcasts its value.
#pragma once
#include "../generic/exchange.hpp"
#include "arithmetic.hpp"

namespace spirv {

u32 SubgroupSize() SPIRV_BUILTIN(SubgroupSize);
u32 SubgroupMaxSize() SPIRV_BUILTIN(SubgroupMaxSize);
u32 SubgroupId() SPIRV_BUILTIN(SubgroupId);
u32 NumSubgroups() SPIRV_BUILTIN(NumSubgroups);
u32 SubgroupLocalInvocationId() SPIRV_BUILTIN(SubgroupLocalInvocationId);

bool GroupNonUniformAll(u32 scope, bool x) SPIRV_GROUP_OP(GroupNonUniformAll, "i1");
bool GroupNonUniformAny(u32 scope, bool x) SPIRV_GROUP_OP(GroupNonUniformAny, "i1");

// Operands: the scope, the value and the number of an item, or a distance.
#define EXCHANGE(INSTRUCTION)                                                                                          \
  u32 INSTRUCTION(u32, u32, u32) SPIRV_GROUP_OP(INSTRUCTION, "u32");                                                   \
  u64 INSTRUCTION(u32, u64, u32) SPIRV_GROUP_OP(INSTRUCTION, "u64");
EXCHANGE(GroupBroadcast)
EXCHANGE(GroupNonUniformShuffle)
EXCHANGE(GroupNonUniformShuffleXor)
EXCHANGE(GroupNonUniformShuffleUp)
EXCHANGE(GroupNonUniformShuffleDown)
#undef EXCHANGE

} // namespace spirv

namespace group {

INLINED u32 sub_group_id() {
  return __sinter_spirv_has_sub_groups() ? spirv::SubgroupId() : (u32)local_linear_id();
}
INLINED u32 sub_groups() {
  return __sinter_spirv_has_sub_groups() ? spirv::NumSubgroups() : (u32)local_linear_range();
}

} // namespace group

namespace sub_group {

INLINED u32 lane() { return __sinter_spirv_has_sub_groups() ? spirv::SubgroupLocalInvocationId() : 0; }
INLINED u32 members() { return __sinter_spirv_has_sub_groups() ? spirv::SubgroupSize() : 1; }
INLINED u32 width() {
  if (!__sinter_spirv_has_sub_groups())
    return 1;
  u32 wanted = (u32)__sinter_spirv_sub_group_size();
  return wanted ? wanted : spirv::SubgroupMaxSize();
}

// Moves the bits of a value, as 32 or 64 bits.
template <class T, class Move> INLINED T by_bits(T x, Move move) {
  using bits = typename bits_of_size<sizeof(T)>::type;
  bits value = __builtin_bit_cast(bits, x);
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, move(value));
  else
    return __builtin_bit_cast(T, (bits)move((u32)value));
}

// All members request the value of the same item.
template <class T> INLINED T broadcast(T x, u32 sender) {
  if (!__sinter_spirv_has_sub_groups())
    return x;
  return by_bits(x, [=](auto bits) INLINED_LAMBDA { return spirv::GroupBroadcast(spirv::subgroup, bits, sender); });
}

template <class T> INLINED T in_turn(T x, u32 item) {
  T result = x;
  for (u32 i = 0, count = members(); i < count; ++i) {
    T other = broadcast(x, i);
    result = item == i ? other : result;
  }
  return result;
}

// The value of another work-item; undefined if there is no such item.
template <class T> INLINED T from(T x, u32 item) {
  if (!__sinter_spirv_has_sub_groups())
    return x;
  if (!__sinter_spirv_has_sub_group_shuffle())
    return in_turn(x, item);
  return by_bits(
      x, [=](auto bits) INLINED_LAMBDA { return spirv::GroupNonUniformShuffle(spirv::subgroup, bits, item); });
}
template <class T> INLINED T from_partner(T x, u32 difference) {
  if (!__sinter_spirv_has_sub_groups() || !__sinter_spirv_has_sub_group_shuffle())
    return from(x, lane() ^ difference);
  return by_bits(
      x, [=](auto bits) INLINED_LAMBDA { return spirv::GroupNonUniformShuffleXor(spirv::subgroup, bits, difference); });
}
template <class T> INLINED T from_above(T x, u32 distance) {
  if (!__sinter_spirv_has_sub_groups() || !__sinter_spirv_has_sub_group_shuffle_relative())
    return from(x, lane() + distance);
  return by_bits(
      x, [=](auto bits) INLINED_LAMBDA { return spirv::GroupNonUniformShuffleDown(spirv::subgroup, bits, distance); });
}
template <class T> INLINED T from_below(T x, u32 distance) {
  if (!__sinter_spirv_has_sub_groups() || !__sinter_spirv_has_sub_group_shuffle_relative())
    return from(x, lane() - distance);
  return by_bits(
      x, [=](auto bits) INLINED_LAMBDA { return spirv::GroupNonUniformShuffleUp(spirv::subgroup, bits, distance); });
}

INLINED bool any(bool x) {
  if (!__sinter_spirv_has_sub_groups())
    return x;
  if (__sinter_spirv_has_sub_group_vote())
    return spirv::GroupNonUniformAny(spirv::subgroup, x);
  return spirv::GroupAny(spirv::subgroup, x);
}
INLINED bool all(bool x) {
  if (!__sinter_spirv_has_sub_groups())
    return x;
  if (__sinter_spirv_has_sub_group_vote())
    return spirv::GroupNonUniformAll(spirv::subgroup, x);
  return spirv::GroupAll(spirv::subgroup, x);
}

// True if the operation has an instruction. Intel's CPU runtime (2026.2) computes products wrongly
// in sub-groups that are not full: every item gets its own value.
INLINED bool has_arithmetic(operation op) {
  return __sinter_spirv_has_sub_group_arithmetic() && (op != operation::multiply || members() == width());
}

// `first` and the values of the items before `last`, combined in turn.
template <class T> INLINED T fold(operation op, T x, T first, u32 from, u32 last) {
  T result = first;
  for (u32 i = from, count = members(); i < count; ++i) {
    T next = combine(op, result, broadcast(x, i));
    result = i < last ? next : result;
  }
  return result;
}

template <class T> INLINED T reduce(operation op, T x) {
  if (!__sinter_spirv_has_sub_groups())
    return x;
  if (has_arithmetic(op))
    return spirv::reduce_by(spirv::of_non_uniform_sub_group{}, op, x, members() == 1);
  if (spirv::is_basic(op))
    return spirv::reduce_by(spirv::of_sub_group{}, op, x, members() == 1);
  return fold(op, x, broadcast(x, 0), 1, members());
}

// Devices with non-uniform operations count those who run it.
INLINED u64 ballot(u64, bool x) {
  u64 own = x ? (u64)1 << lane() : 0;
  return width() > 32 ? reduce(operation::bit_or, own) : reduce(operation::bit_or, (u32)own);
}
INLINED u64 active() { return ballot(~(u64)0, true); }
template <class T> INLINED T from_active(u64 mask, T x, u32 item) { return zero_outside(mask, item, from(x, item)); }

template <class T> INLINED T inclusive_scan(operation op, T x) {
  if (!__sinter_spirv_has_sub_groups())
    return x;
  if (has_arithmetic(op))
    return spirv::inclusive_scan_by(spirv::of_non_uniform_sub_group{}, op, x, lane() == 0);
  if (spirv::is_basic(op))
    return spirv::inclusive_scan_by(spirv::of_sub_group{}, op, x, lane() == 0);
  return fold(op, x, broadcast(x, 0), 1, lane() + 1);
}

template <class T> INLINED T exclusive_scan(operation op, T x, T init) {
  if (!__sinter_spirv_has_sub_groups())
    return init;
  if (has_arithmetic(op))
    return spirv::exclusive_scan_by(spirv::of_non_uniform_sub_group{}, op, x, init, lane() == 0);
  if (spirv::is_basic(op))
    return spirv::exclusive_scan_by(spirv::of_sub_group{}, op, x, init, lane() == 0);
  return fold(op, x, init, 0, lane());
}

} // namespace sub_group
