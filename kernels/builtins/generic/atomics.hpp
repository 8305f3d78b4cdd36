// Atomics: code shared by all GPUs.
#pragma once
#include "types.hpp"

#define ATOMIC_INLINE static inline __attribute__((always_inline))
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))

// Constants of an atomic operation.
struct atomic_mode {
  space where;
  order how;
  scope whom;
};

ATOMIC_INLINE atomic_mode without_order(atomic_mode m) { return {m.where, order::relaxed, m.whom}; }

// The unsigned integer type of a size in bytes.
template <unsigned long Size> struct of_size;
template <> struct of_size<1> { using word = u8; };
template <> struct of_size<2> { using word = u16; };
template <> struct of_size<4> { using word = u32; };
template <> struct of_size<8> { using word = u64; };
template <class T> using word_of = typename of_size<sizeof(T)>::word;

// Operations on private memory, which only one work-item accesses.
#define OWN(NAME, RESULT)                                                                                              \
  template <class T> ATOMIC_INLINE T own_##NAME(T *p, T x) {                                                           \
    [[maybe_unused]] T old = *p;                                                                                       \
    *p = RESULT;                                                                                                       \
    return old;                                                                                                        \
  }
OWN(exchange, x)
OWN(fetch_and, old & x)
OWN(fetch_or, old | x)
OWN(fetch_xor, old ^ x)
OWN(fetch_add, old + x)
OWN(fetch_min, __builtin_elementwise_min(old, x))
OWN(fetch_max, __builtin_elementwise_max(old, x))

template <class T> inline constexpr bool is_small = sizeof(T) < 4;

// A byte or halfword in its containing word.
template <class T> struct part {
  u32 *word;
  u32 shift;

  ATOMIC_INLINE part of(T *p) {
    u64 address = (u64)p, offset = address & 3;
    return {(u32 *)((u8 *)p - offset), (u32)offset * 8};
  }
  static constexpr u32 ones = (1u << (sizeof(T) * 8 % 32)) - 1;

  inline __attribute__((always_inline)) T get(u32 whole) const { return (T)(whole >> shift & ones); }
  inline __attribute__((always_inline)) u32 with(u32 whole, T x) const {
    return (whole & ~(ones << shift)) | ((u32)x & ones) << shift;
  }
};
