// Atomics as LLVM instructions, whose order, scope and address space are visible to passes and code
// generators: the optimiser infers the address space of a generic pointer. Operations on bytes and
// halfwords are compare-exchange loops on the containing word: LLVM 19 ends the process on AMD byte
// operations with a uniform operand.
//
// A target defines `is_private` before including it, and declares the operations that it implements
// itself.
#pragma once

// Scopes as clang numbers them.
namespace reach {
constexpr int work_group = __MEMORY_SCOPE_WRKGRP, device = __MEMORY_SCOPE_DEVICE, system = __MEMORY_SCOPE_SYSTEM;
}
#include "places.hpp"

template <class T> ATOMIC_INLINE T load(atomic_mode m, T *p) {
  AT_PLACES(return __scoped_atomic_load_n((pointer)p, load_order(ORDER), SCOPE))
}

template <class T> ATOMIC_INLINE void store(atomic_mode m, T *p, T x) {
  AT_PLACES(return __scoped_atomic_store_n((pointer)p, x, store_order(ORDER), SCOPE))
}

template <class T> ATOMIC_INLINE bool exchange_there(atomic_mode m, T *p, T *expected, T x) {
  AT_PLACES(return __scoped_atomic_compare_exchange_n((pointer)p, expected, x, false, ORDER, load_order(ORDER), SCOPE))
}

// A weak exchange may fail spuriously; this one never does.
template <class T> ATOMIC_INLINE bool exchange_if(atomic_mode m, T *p, T *expected, T x) {
  if (!is_private(m, p))
    return exchange_there(m, p, expected, x);
  T old = *p, wanted = *expected;
  *p = old == wanted ? x : old;
  *expected = old;
  return old == wanted;
}

// Replaces a byte or halfword by a function of its value.
template <class T, class Function> ATOMIC_INLINE T update(atomic_mode m, T *p, Function function) {
  part<T> small = part<T>::of(p);
  u32 old = load(without_order(m), small.word);
  for (;;) {
    u32 seen = old;
    if (exchange_there(m, small.word, &seen, small.with(old, function(small.get(old)))))
      return small.get(old);
    old = seen;
  }
}

#define MODIFY(NAME, BUILTIN, RESULT)                                                                                  \
  template <class T> ATOMIC_INLINE T NAME##_there(atomic_mode m, T *p, T x) {                                          \
    AT_PLACES(return __scoped_atomic_##BUILTIN((pointer)p, x, ORDER, SCOPE))                                           \
  }                                                                                                                    \
  template <class T> ATOMIC_INLINE T NAME(atomic_mode m, T *p, T x) {                                                  \
    if (is_private(m, p))                                                                                              \
      return own_##NAME(p, x);                                                                                         \
    if constexpr (is_small<T>)                                                                                         \
      return update(m, p, [x]([[maybe_unused]] T old) { return (T)(RESULT); });                                        \
    else                                                                                                               \
      return NAME##_there(m, p, x);                                                                                    \
  }

MODIFY(exchange, exchange_n, x)
MODIFY(fetch_and, fetch_and, old & x)
MODIFY(fetch_or, fetch_or, old | x)
MODIFY(fetch_xor, fetch_xor, old ^ x)
MODIFY(fetch_add, fetch_add, old + x)
MODIFY(fetch_min, fetch_min, x < old ? x : old)
MODIFY(fetch_max, fetch_max, old < x ? x : old)

#define FETCH(NAME, T)                                                                                                 \
  SSCP_BUILTIN T __acpp_sscp_atomic_##NAME##_##T(space a, order o, scope s, T *p, T x) { return NAME({a, o, s}, p, x); }

#define BITWISE(T)                                                                                                     \
  SSCP_BUILTIN void __acpp_sscp_atomic_store_##T(space a, order o, scope s, T *p, T x) { store({a, o, s}, p, x); }     \
  SSCP_BUILTIN T __acpp_sscp_atomic_load_##T(space a, order o, scope s, T *p) { return load({a, o, s}, p); }           \
  EXCHANGE(weak, T)                                                                                                    \
  EXCHANGE(strong, T)                                                                                                  \
  FETCH(exchange, T)                                                                                                   \
  FETCH(fetch_and, T)                                                                                                  \
  FETCH(fetch_or, T)                                                                                                   \
  FETCH(fetch_xor, T)

#define ARITHMETIC(T, NEGATED)                                                                                         \
  FETCH(fetch_add, T)                                                                                                  \
  SSCP_BUILTIN T __acpp_sscp_atomic_fetch_sub_##T(space a, order o, scope s, T *p, T x) {                              \
    return fetch_add({a, o, s}, p, (T)(NEGATED));                                                                      \
  }                                                                                                                    \
  FETCH(fetch_min, T)                                                                                                  \
  FETCH(fetch_max, T)

BITWISE(i8)
BITWISE(i16)
BITWISE(i32)
BITWISE(i64)
// Sums of integers wrap around.
ARITHMETIC(i8, 0 - (u8)x)
ARITHMETIC(i16, 0 - (u16)x)
ARITHMETIC(i32, 0 - (u32)x)
ARITHMETIC(i64, 0 - (u64)x)
ARITHMETIC(u8, 0 - x)
ARITHMETIC(u16, 0 - x)
ARITHMETIC(u32, 0 - x)
ARITHMETIC(u64, 0 - x)
ARITHMETIC(f32, -x)
ARITHMETIC(f64, -x)
