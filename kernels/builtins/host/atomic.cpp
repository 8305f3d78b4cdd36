// Atomics as LLVM atomics. On a CPU every scope beyond the work-group is the whole system, and all
// address spaces are one.
//
// A work-group runs on one thread. No other thread has its local and private memory, nor may take
// part in an operation whose scope is the work-group or less, so these are a load, the operation
// and a store, in functions of their own: the translator inlines them once it knows which
// work-items run together, since all lanes of a row would load before any stores. Their order is
// one for the compiler, which must not move accesses of an item across them: another item may run
// in between, at a barrier or as another lane.
#include "../generic/exact.hpp"
#include "../generic/orders.hpp"

#define INLINED static inline __attribute__((always_inline))
#define UPDATE SSCP_BUILTIN __attribute__((noinline))

INLINED bool is_alone(space s, scope c) {
  return s == space::local || s == space::private_ || c <= scope::work_group;
}

INLINED void order_for_compiler(order o) { WITH_ORDER(o, __atomic_signal_fence(ORDER)); }

template <class T> INLINED T load_alone(T *p) {
  T x;
  __atomic_load(p, &x, __ATOMIC_RELAXED);
  return x;
}
template <class T> INLINED void store_alone(T *p, T x) { __atomic_store(p, &x, __ATOMIC_RELAXED); }

// Returns EXPRESSION, between fences for the compiler, if nobody else takes part.
#define IF_ALONE(S, C, O, EXPRESSION)                                                                                  \
  if (is_alone(S, C)) {                                                                                                \
    order_for_compiler(O);                                                                                             \
    auto result = EXPRESSION;                                                                                          \
    order_for_compiler(O);                                                                                             \
    return result;                                                                                                     \
  }

// Stores VALUE, of which `old` and `x` may be parts, and returns the old value.
#define UPDATE_ALONE(OP, T, S, VALUE)                                                                                  \
  UPDATE T __sinter_update_##OP##_##S(T *p, T x) {                                                                      \
    T old = load_alone(p);                                                                                             \
    store_alone(p, T(VALUE));                                                                                          \
    return old;                                                                                                        \
  }

#define LOAD_STORE(T, S)                                                                                               \
  SSCP_BUILTIN void __acpp_sscp_atomic_store_##S(space s, order o, scope c, T *p, T x) {                                \
    if (is_alone(s, c)) {                                                                                              \
      order_for_compiler(o);                                                                                           \
      store_alone(p, x);                                                                                               \
      order_for_compiler(o);                                                                                           \
      return;                                                                                                          \
    }                                                                                                                  \
    WITH_ORDER(o, __atomic_store_n(p, x, store_order(ORDER)));                                                          \
  }                                                                                                                    \
  SSCP_BUILTIN T __acpp_sscp_atomic_load_##S(space s, order o, scope c, T *p) {                                         \
    IF_ALONE(s, c, o, load_alone(p))                                                                                   \
    WITH_ORDER(o, return __atomic_load_n(p, load_order(ORDER)));                                                        \
  }                                                                                                                    \
  UPDATE_ALONE(exchange, T, S, x)                                                                                      \
  SSCP_BUILTIN T __acpp_sscp_atomic_exchange_##S(space s, order o, scope c, T *p, T x) {                                \
    IF_ALONE(s, c, o, __sinter_update_exchange_##S(p, x))                                                              \
    WITH_ORDER(o, return __atomic_exchange_n(p, x, ORDER));                                                             \
  }

#define COMPARE_EXCHANGE_ALONE(T, S)                                                                                   \
  UPDATE T __sinter_update_compare_exchange_##S(T *p, T expected, T desired) {                                          \
    T old = load_alone(p);                                                                                             \
    if (old == expected)                                                                                               \
      store_alone(p, desired);                                                                                         \
    return old;                                                                                                        \
  }                                                                                                                    \
  INLINED bool compare_exchange_alone(T *p, T *expected, T desired) {                                                  \
    T wanted = *expected;                                                                                              \
    *expected = __sinter_update_compare_exchange_##S(p, wanted, desired);                                              \
    return *expected == wanted;                                                                                        \
  }
#define COMPARE_EXCHANGE(T, S, STRENGTH, WEAK)                                                                         \
  SSCP_BUILTIN bool __acpp_sscp_cmp_exch_##STRENGTH##_##S(space s, order success, order failure, scope c, T *p,         \
                                                          T *expected, T desired) {                                    \
    order o = exchange_order(success, failure);                                                                        \
    IF_ALONE(s, c, o, compare_exchange_alone(p, expected, desired))                                                    \
    WITH_ORDER(o, return __atomic_compare_exchange_n(p, expected, desired, WEAK, ORDER, load_order(ORDER)));            \
  }

#define FETCH(OP, T, S, VALUE)                                                                                         \
  UPDATE_ALONE(OP, T, S, VALUE)                                                                                        \
  SSCP_BUILTIN T __acpp_sscp_atomic_fetch_##OP##_##S(space s, order o, scope c, T *p, T x) {                            \
    IF_ALONE(s, c, o, __sinter_update_##OP##_##S(p, x))                                                                \
    WITH_ORDER(o, return __atomic_fetch_##OP(p, x, ORDER));                                                             \
  }

#define BITWISE(T, S)                                                                                                  \
  LOAD_STORE(T, S)                                                                                                     \
  COMPARE_EXCHANGE_ALONE(T, S)                                                                                         \
  COMPARE_EXCHANGE(T, S, weak, true)                                                                                   \
  COMPARE_EXCHANGE(T, S, strong, false)                                                                                \
  FETCH(and, T, S, old &x)                                                                                             \
  FETCH(or, T, S, old | x)                                                                                             \
  FETCH(xor, T, S, old ^ x)

#define ARITHMETIC(T, MIN, MAX)                                                                                        \
  FETCH(add, T, T, old + x)                                                                                            \
  FETCH(sub, T, T, old - x)                                                                                            \
  FETCH(min, T, T, MIN)                                                                                                \
  FETCH(max, T, T, MAX)
#define INTEGER(T) ARITHMETIC(T, old < x ? old : x, old > x ? old : x)
#define FLOAT(T) ARITHMETIC(T, math::fmin(old, x), math::fmax(old, x))

BITWISE(i8, i8)
BITWISE(i16, i16)
BITWISE(i32, i32)
BITWISE(i64, i64)
INTEGER(i8)
INTEGER(i16)
INTEGER(i32)
INTEGER(i64)
INTEGER(u8)
INTEGER(u16)
INTEGER(u32)
INTEGER(u64)
FLOAT(f32)
FLOAT(f64)

SSCP_BUILTIN void __acpp_sscp_fence(order o, scope c) {
  if (c <= scope::work_group)
    return order_for_compiler(o);
  WITH_ORDER(o, __atomic_thread_fence(ORDER));
}
