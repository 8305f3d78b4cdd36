// Exchange of values within a sub-group: code shared by all GPUs.
#pragma once
#include "group.hpp"

namespace sub_group {

template <unsigned long Size> struct bits_of_size;
template <> struct bits_of_size<1> { using type = u8; };
template <> struct bits_of_size<2> { using type = u16; };
template <> struct bits_of_size<4> { using type = u32; };
template <> struct bits_of_size<8> { using type = u64; };

// Moves a value word by word.
template <class T, class Move> INLINED T by_words(T x, Move move) {
  using bits = typename bits_of_size<sizeof(T)>::type;
  bits value = __builtin_bit_cast(bits, x);
  if constexpr (sizeof(T) == 8) {
    u32 low = move((u32)value), high = move((u32)(value >> 32));
    return __builtin_bit_cast(T, (u64)high << 32 | low);
  } else {
    return __builtin_bit_cast(T, (bits)move((u32)value));
  }
}

// The value of an item, read from it; 0 if it is outside the mask, as programs count on: they add
// what they read there, and GPUs return zeros.
template <class T> INLINED T zero_outside(u64 mask, u32 item, T value) {
  return mask >> (item & 63) & 1 ? value : (T)0;
}

// True if the operand order is observable in the result, namely which of two equal operands it is.
template <class T> INLINED bool is_ordered(operation op) {
  return is_float<T> && (op == operation::min || op == operation::max);
}

} // namespace sub_group
