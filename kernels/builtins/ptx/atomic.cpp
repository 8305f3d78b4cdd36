// Atomics. `atomic.hpp` has the instructions.
//
// A relaxed operation is LLVM's own where that means the same: it then follows the address space that the optimiser
// infers, which an instruction spelled out as text cannot. LLVM's read-modify-write operations are those of a device,
// which every smaller scope may use, and build/compile.rs gives them that scope; its loads and stores are those of the system. What PTX has no instruction for, that
// is bytes, halfwords and minima of floating-point numbers, is done by compare-exchange on the containing word.
#include "atomic.hpp"

// Whether LLVM's operation on a device means the same.
ATOMIC_INLINE bool is_plain(atomic_mode m) { return m.how == order::relaxed && m.whom != scope::system; }
// The same for loads and stores. Where the address space is known there is nothing to infer.
ATOMIC_INLINE bool is_plain_access(atomic_mode m) {
  return m.how == order::relaxed && m.where != space::global && m.where != space::local;
}

// Whether a pointer leads to private memory, which the instructions cannot access. The backend answers where it knows; it
// also asks on behalf of LLVM's operations.
ATOMIC_INLINE bool is_private(atomic_mode m, const void *p) {
  bool is_unknown = m.where != space::global && m.where != space::local;
  return m.where == space::private_ || (is_unknown && __nvvm_isspacep_local(p));
}

#define AT_SPACE(EXPRESSION)                                                                                           \
  if (m.where == space::local)                                                                                         \
    return EXPRESSION(LOCAL);                                                                                          \
  if (m.where == space::global)                                                                                        \
    return EXPRESSION(GLOBAL);                                                                                         \
  return EXPRESSION();

// NAME(m, p, x) by LLVM's operation or by the instruction.
#define OPERATION(NAME, BUILTIN, T)                                                                                    \
  ATOMIC_INLINE T plain_##NAME(atomic_mode m, T *p, T x) {                                                             \
    AT_SPACE(PLAIN_##BUILTIN)                                                                                          \
  }                                                                                                                    \
  ATOMIC_INLINE T NAME(atomic_mode m, T *p, T x) {                                                                     \
    if (is_plain(m))                                                                                                   \
      return plain_##NAME(m, p, x);                                                                                    \
    return is_private(m, p) ? own_##NAME(p, x) : instruction::NAME(m, p, x);                                           \
  }
#define POINTER(SPACE) (SPACE decltype(x) *)p
#define PLAIN_exchange_n(SPACE) __atomic_exchange_n(POINTER(SPACE), x, __ATOMIC_RELAXED)
#define PLAIN_fetch_and(SPACE) __atomic_fetch_and(POINTER(SPACE), x, __ATOMIC_RELAXED)
#define PLAIN_fetch_or(SPACE) __atomic_fetch_or(POINTER(SPACE), x, __ATOMIC_RELAXED)
#define PLAIN_fetch_xor(SPACE) __atomic_fetch_xor(POINTER(SPACE), x, __ATOMIC_RELAXED)
#define PLAIN_fetch_add(SPACE) __atomic_fetch_add(POINTER(SPACE), x, __ATOMIC_RELAXED)
#define PLAIN_fetch_min(SPACE) __atomic_fetch_min(POINTER(SPACE), x, __ATOMIC_RELAXED)
#define PLAIN_fetch_max(SPACE) __atomic_fetch_max(POINTER(SPACE), x, __ATOMIC_RELAXED)

#define UNSIGNED_OPERATIONS(T)                                                                                         \
  OPERATION(exchange, exchange_n, T)                                                                                   \
  OPERATION(fetch_and, fetch_and, T)                                                                                   \
  OPERATION(fetch_or, fetch_or, T)                                                                                     \
  OPERATION(fetch_xor, fetch_xor, T)                                                                                   \
  OPERATION(fetch_add, fetch_add, T)

#define ORDERED_OPERATIONS(T)                                                                                          \
  OPERATION(fetch_min, fetch_min, T)                                                                                   \
  OPERATION(fetch_max, fetch_max, T)

UNSIGNED_OPERATIONS(u32)
UNSIGNED_OPERATIONS(u64)
ORDERED_OPERATIONS(u32)
ORDERED_OPERATIONS(u64)
ORDERED_OPERATIONS(i32)
ORDERED_OPERATIONS(i64)
OPERATION(fetch_add, fetch_add, f32)
OPERATION(fetch_add, fetch_add, f64)

template <class T> ATOMIC_INLINE T load(atomic_mode m, const T *p) {
  using word = word_of<T>;
  if (is_plain_access(m))
    return __builtin_bit_cast(T, __atomic_load_n((const word *)p, __ATOMIC_RELAXED));
  return is_private(m, p) ? *p : __builtin_bit_cast(T, instruction::load(m, (const word *)p));
}

template <class T> ATOMIC_INLINE void store(atomic_mode m, T *p, T x) {
  using word = word_of<T>;
  if (is_plain_access(m))
    __atomic_store_n((word *)p, __builtin_bit_cast(word, x), __ATOMIC_RELAXED);
  else if (is_private(m, p))
    *p = x;
  else
    instruction::store(m, (word *)p, __builtin_bit_cast(word, x));
}

template <class T> ATOMIC_INLINE T plain_compare_exchange(T *p, T expected, T x) {
  __atomic_compare_exchange_n(p, &expected, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

// The value that was there; `x` is written if that was the expected one.
template <class T> ATOMIC_INLINE T compare_exchange(atomic_mode m, T *p, T expected, T x) {
  bool generic = m.where != space::global && m.where != space::local;
  if (is_plain(m) && generic)
    return plain_compare_exchange(p, expected, x);
  if (!is_private(m, p))
    return instruction::compare_exchange(m, p, expected, x);
  T old = *p;
  *p = old == expected ? x : old;
  return old;
}

// Replaces a value by a function of it.
template <class T, class Function> ATOMIC_INLINE T update(atomic_mode m, T *p, Function function) {
  if constexpr (is_small<T>) {
    if (is_private(m, p))
      return own_exchange(p, function(*p));
    part<T> small = part<T>::of(p);
    u32 old = load(without_order(m), small.word);
    for (;;) {
      u32 seen = compare_exchange(m, small.word, old, small.with(old, function(small.get(old))));
      if (seen == old)
        return small.get(old);
      old = seen;
    }
  } else {
    using word = word_of<T>;
    word old = __builtin_bit_cast(word, load(without_order(m), p));
    for (;;) {
      word next = __builtin_bit_cast(word, function(__builtin_bit_cast(T, old)));
      // A relaxed operation that changes nothing need not write.
      if (m.how == order::relaxed && next == old)
        return __builtin_bit_cast(T, old);
      word seen = compare_exchange(m, (word *)p, old, next);
      if (seen == old)
        return __builtin_bit_cast(T, old);
      old = seen;
    }
  }
}

// What is left of an order behind its fence.
ATOMIC_INLINE atomic_mode after_fence(atomic_mode m) {
  return {m.where, m.how == order::seq_cst ? order::acquire : m.how, m.whom};
}

// Fails only if the part itself differs, not the rest of its word. A failure orders what the exchange would have: the fence
// of a sequentially consistent one is before the first load, which may be the only one.
template <class T> ATOMIC_INLINE bool exchange_part(atomic_mode m, T *p, T *expected, T x) {
  part<T> small = part<T>::of(p);
  fence_before(m);
  m = after_fence(m);
  u32 old = load(without_order(m), small.word);
  for (;;) {
    if (small.get(old) != *expected) {
      fence(m.how, m.whom);
      *expected = small.get(old);
      return false;
    }
    u32 seen = compare_exchange(m, small.word, old, small.with(old, x));
    if (seen == old)
      return true;
    old = seen;
  }
}

template <class T> ATOMIC_INLINE bool exchange_whole(atomic_mode m, T *p, T *expected, T x) {
  using word = word_of<T>;
  word wanted = (word)*expected, seen = compare_exchange(m, (word *)p, wanted, (word)x);
  *expected = (T)seen;
  return seen == wanted;
}

template <class T> ATOMIC_INLINE bool exchange_if(atomic_mode m, T *p, T *expected, T x) {
  if constexpr (is_small<T>) {
    if (!is_private(m, p))
      return exchange_part(m, p, expected, x);
    T old = *p, wanted = *expected;
    *p = old == wanted ? x : old;
    *expected = old;
    return old == wanted;
  } else {
    return exchange_whole(m, p, expected, x);
  }
}

// The operation on words, or a loop for what is smaller.
#define BY_WORD(NAME, T, U, RESULT)                                                                                    \
  SSCP_BUILTIN T __acpp_sscp_atomic_##NAME##_##T(space a, order o, scope s, T *p, T x) {                                \
    return (T)NAME({a, o, s}, (U *)p, (U)x);                                                                           \
  }
#define BY_LOOP(NAME, T, U, RESULT)                                                                                    \
  SSCP_BUILTIN T __acpp_sscp_atomic_##NAME##_##T(space a, order o, scope s, T *p, T x) {                                \
    return update(atomic_mode{a, o, s}, p, [x]([[maybe_unused]] T old) { return (T)(RESULT); });                       \
  }

// A weak exchange may fail for no reason; this one never does.
#define EXCHANGE(STRENGTH, T)                                                                                          \
  SSCP_BUILTIN bool __acpp_sscp_cmp_exch_##STRENGTH##_##T(space a, order success, order failure, scope s, T *p,         \
                                                          T *expected, T desired) {                                    \
    return exchange_if({a, exchange_order(success, failure), s}, p, expected, desired);                                \
  }

#define BITWISE(T, BY)                                                                                                 \
  SSCP_BUILTIN void __acpp_sscp_atomic_store_##T(space a, order o, scope s, T *p, T x) { store({a, o, s}, p, x); }      \
  SSCP_BUILTIN T __acpp_sscp_atomic_load_##T(space a, order o, scope s, T *p) { return load({a, o, s}, p); }            \
  EXCHANGE(weak, T)                                                                                                    \
  EXCHANGE(strong, T)                                                                                                  \
  BY(exchange, T, word_of<T>, x)                                                                                       \
  BY(fetch_and, T, word_of<T>, old & x)                                                                                \
  BY(fetch_or, T, word_of<T>, old | x)                                                                                 \
  BY(fetch_xor, T, word_of<T>, old ^ x)

// Sums wrap around: that of the unsigned type of the same size has the same bits. Minima depend on the sign.
#define INTEGER(T, U, BY)                                                                                              \
  BY(fetch_add, T, U, (U)old + (U)x)                                                                                   \
  SSCP_BUILTIN T __acpp_sscp_atomic_fetch_sub_##T(space a, order o, scope s, T *p, T x) {                               \
    return __acpp_sscp_atomic_fetch_add_##T(a, o, s, p, (T)(0 - (U)x));                                                 \
  }                                                                                                                    \
  BY(fetch_min, T, T, x < old ? x : old)                                                                               \
  BY(fetch_max, T, T, old < x ? x : old)

#define FLOATING(T, SUFFIX)                                                                                            \
  SSCP_BUILTIN T __acpp_sscp_atomic_fetch_add_##T(space a, order o, scope s, T *p, T x) {                               \
    return fetch_add({a, o, s}, p, x);                                                                                 \
  }                                                                                                                    \
  SSCP_BUILTIN T __acpp_sscp_atomic_fetch_sub_##T(space a, order o, scope s, T *p, T x) {                               \
    return fetch_add({a, o, s}, p, -x);                                                                                \
  }                                                                                                                    \
  BY_LOOP(fetch_min, T, T, __builtin_fmin##SUFFIX(old, x))                                                             \
  BY_LOOP(fetch_max, T, T, __builtin_fmax##SUFFIX(old, x))

BITWISE(i8, BY_LOOP)
BITWISE(i16, BY_LOOP)
BITWISE(i32, BY_WORD)
BITWISE(i64, BY_WORD)
INTEGER(i8, u8, BY_LOOP)
INTEGER(u8, u8, BY_LOOP)
INTEGER(i16, u16, BY_LOOP)
INTEGER(u16, u16, BY_LOOP)
INTEGER(i32, u32, BY_WORD)
INTEGER(u32, u32, BY_WORD)
INTEGER(i64, u64, BY_WORD)
INTEGER(u64, u64, BY_WORD)
FLOATING(f32, f)
FLOATING(f64, )
