// Atomics as LLVM atomics. On a CPU every scope is the whole system and all address spaces are one.
#include "../generic/orders.hpp"

#define LOAD_STORE(T, S)                                                                                               \
  SSCP_BUILTIN void __acpp_sscp_atomic_store_##S(space, order o, scope, T *p, T x) {                                    \
    WITH_ORDER(o, __atomic_store_n(p, x, store_order(ORDER)));                                                          \
  }                                                                                                                    \
  SSCP_BUILTIN T __acpp_sscp_atomic_load_##S(space, order o, scope, T *p) {                                             \
    WITH_ORDER(o, return __atomic_load_n(p, load_order(ORDER)));                                                        \
  }                                                                                                                    \
  SSCP_BUILTIN T __acpp_sscp_atomic_exchange_##S(space, order o, scope, T *p, T x) {                                    \
    WITH_ORDER(o, return __atomic_exchange_n(p, x, ORDER));                                                             \
  }

#define COMPARE_EXCHANGE(T, S, STRENGTH, WEAK)                                                                         \
  SSCP_BUILTIN bool __acpp_sscp_cmp_exch_##STRENGTH##_##S(space, order success, order failure, scope, T *p,             \
                                                          T *expected, T desired) {                                    \
    WITH_ORDER(exchange_order(success, failure),                                                                        \
               return __atomic_compare_exchange_n(p, expected, desired, WEAK, ORDER, load_order(ORDER)));               \
  }

#define FETCH(OP, T, S)                                                                                                \
  SSCP_BUILTIN T __acpp_sscp_atomic_fetch_##OP##_##S(space, order o, scope, T *p, T x) {                                \
    WITH_ORDER(o, return __atomic_fetch_##OP(p, x, ORDER));                                                             \
  }

#define BITWISE(T, S)                                                                                                  \
  LOAD_STORE(T, S)                                                                                                     \
  COMPARE_EXCHANGE(T, S, weak, true)                                                                                   \
  COMPARE_EXCHANGE(T, S, strong, false)                                                                                \
  FETCH(and, T, S)                                                                                                     \
  FETCH(or, T, S)                                                                                                      \
  FETCH(xor, T, S)

#define ARITHMETIC(T)                                                                                                  \
  FETCH(add, T, T)                                                                                                     \
  FETCH(sub, T, T)                                                                                                     \
  FETCH(min, T, T)                                                                                                     \
  FETCH(max, T, T)

BITWISE(i8, i8)
BITWISE(i16, i16)
BITWISE(i32, i32)
BITWISE(i64, i64)
ARITHMETIC(i8)
ARITHMETIC(i16)
ARITHMETIC(i32)
ARITHMETIC(i64)
ARITHMETIC(u8)
ARITHMETIC(u16)
ARITHMETIC(u32)
ARITHMETIC(u64)
ARITHMETIC(f32)
ARITHMETIC(f64)

SSCP_BUILTIN void __acpp_sscp_fence(order o, scope) { WITH_ORDER(o, __atomic_thread_fence(ORDER)); }
