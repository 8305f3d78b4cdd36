// Atomics as the instructions of atomic.hpp. Each combination of address space, scope and order has
// a case in which they are literals; after inlining one case is left.
//
// Operations on bytes and halfwords are compare-exchange loops on the containing word, as are
// floating-point operations if the device has no instruction. Generic pointers are handled by the
// device, private memory included.
#include "atomic.hpp"

namespace reach {
constexpr u32 work_group = spirv::workgroup, device = spirv::device, system = spirv::cross_device;
}
#include "../generic/places.hpp"

ATOMIC_INLINE bool is_private(atomic_mode m) { return m.where == space::private_; }

template <class T> ATOMIC_INLINE T load(atomic_mode m, T *p) {
  AT_PLACES(return instruction::load((pointer)p, SCOPE, spirv::semantics(load_order(ORDER))))
}

template <class T> ATOMIC_INLINE void store(atomic_mode m, T *p, T x) {
  AT_PLACES(return instruction::store((pointer)p, SCOPE, spirv::semantics(store_order(ORDER)), x))
}

// Returns the previous value; `x` is written if that was the expected one. A failure has the order
// of a load.
template <class T> ATOMIC_INLINE T compare_exchange(atomic_mode m, T *p, T expected, T x) {
  AT_PLACES(return instruction::compare_exchange((pointer)p, SCOPE, spirv::semantics(ORDER),
                                                 spirv::semantics(load_order(ORDER)), x, expected))
}

template <class T> ATOMIC_INLINE T read(atomic_mode m, T *p) {
  if (is_private(m))
    return *p;
  if constexpr (is_small<T>) {
    part<T> small = part<T>::of(p);
    return small.get(load(m, small.word));
  } else {
    return (T)load(m, (word_of<T> *)p);
  }
}

// Replaces a value by a function of it.
template <class T, class Function> ATOMIC_INLINE T update(atomic_mode m, T *p, Function function) {
  if constexpr (is_small<T>) {
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
    word old = load(without_order(m), (word *)p);
    for (;;) {
      word next = __builtin_bit_cast(word, function(__builtin_bit_cast(T, old)));
      word seen = compare_exchange(m, (word *)p, old, next);
      if (seen == old)
        return __builtin_bit_cast(T, old);
      old = seen;
    }
  }
}

// Fails only if the part itself differs, not the rest of its word. The first load may be the only
// access, so it has the failure order.
template <class T> ATOMIC_INLINE bool exchange_part(atomic_mode m, T *p, T *expected, T x) {
  part<T> small = part<T>::of(p);
  u32 old = load(m, small.word);
  for (;;) {
    if (small.get(old) != *expected) {
      *expected = small.get(old);
      return false;
    }
    u32 seen = compare_exchange(m, small.word, old, small.with(old, x));
    if (seen == old)
      return true;
    old = seen;
  }
}

// A weak exchange may fail spuriously; this one never does.
template <class T> ATOMIC_INLINE bool exchange_if(atomic_mode m, T *p, T *expected, T x) {
  T old = *expected;
  if (is_private(m)) {
    *expected = *p;
    *p = *expected == old ? x : *expected;
    return *expected == old;
  }
  if constexpr (is_small<T>) {
    return exchange_part(m, p, expected, x);
  } else {
    using word = word_of<T>;
    *expected = (T)compare_exchange(m, (word *)p, (word)old, (word)x);
    return *expected == old;
  }
}

// A byte or halfword is written with the rest of its word.
template <class T> ATOMIC_INLINE void write(atomic_mode m, T *p, T x) {
  if (is_private(m))
    *p = x;
  else if constexpr (is_small<T>)
    update(m, p, [x](T) { return x; });
  else
    store(m, (word_of<T> *)p, (word_of<T>)x);
}

#define THERE(NAME)                                                                                                    \
  template <class T> ATOMIC_INLINE T NAME##_there(atomic_mode m, T *p, T x) {                                          \
    AT_PLACES(return instruction::NAME((pointer)p, SCOPE, spirv::semantics(ORDER), x))                                 \
  }
THERE(exchange)
THERE(fetch_and)
THERE(fetch_or)
THERE(fetch_xor)
THERE(fetch_add)
THERE(fetch_sub)
THERE(fetch_min)
THERE(fetch_max)

template <class T> ATOMIC_INLINE T own_fetch_sub(T *p, T x) {
  T old = *p;
  *p = (T)(old - x);
  return old;
}

// The instruction on a word of type U if HAS, else a loop.
#define FETCH(NAME, T, U, HAS, RESULT)                                                                                 \
  SSCP_BUILTIN T __acpp_sscp_atomic_##NAME##_##T(space a, order o, scope s, T *p, T x) {                               \
    atomic_mode m = {a, o, s};                                                                                         \
    if (is_private(m))                                                                                                 \
      return own_##NAME(p, x);                                                                                         \
    if constexpr (!is_small<T>)                                                                                        \
      if (HAS)                                                                                                         \
        return (T)NAME##_there(m, (U *)p, (U)x);                                                                       \
    return update(m, p, [x]([[maybe_unused]] T old) { return (T)(RESULT); });                                          \
  }

#define BITWISE(T, U)                                                                                                  \
  SSCP_BUILTIN void __acpp_sscp_atomic_store_##T(space a, order o, scope s, T *p, T x) { write({a, o, s}, p, x); }     \
  SSCP_BUILTIN T __acpp_sscp_atomic_load_##T(space a, order o, scope s, T *p) { return read({a, o, s}, p); }           \
  EXCHANGE(weak, T)                                                                                                    \
  EXCHANGE(strong, T)                                                                                                  \
  FETCH(exchange, T, U, true, x)                                                                                       \
  FETCH(fetch_and, T, U, true, old & x)                                                                                \
  FETCH(fetch_or, T, U, true, old | x)                                                                                 \
  FETCH(fetch_xor, T, U, true, old ^ x)

// Sums wrap around. Minima depend on the signedness.
#define INTEGER(T, U)                                                                                                  \
  FETCH(fetch_add, T, U, true, (U)old + (U)x)                                                                          \
  FETCH(fetch_sub, T, U, true, (U)old - (U)x)                                                                          \
  FETCH(fetch_min, T, T, true, x < old ? x : old)                                                                      \
  FETCH(fetch_max, T, T, true, old < x ? x : old)

#define FLOATING(T, SUFFIX)                                                                                            \
  FETCH(fetch_add, T, T, __sinter_spirv_has_atomic_add_##T(), old + x)                                                 \
  SSCP_BUILTIN T __acpp_sscp_atomic_fetch_sub_##T(space a, order o, scope s, T *p, T x) {                              \
    return __acpp_sscp_atomic_fetch_add_##T(a, o, s, p, -x);                                                           \
  }                                                                                                                    \
  FETCH(fetch_min, T, T, __sinter_spirv_has_atomic_min_max_##T(), __builtin_fmin##SUFFIX(old, x))                      \
  FETCH(fetch_max, T, T, __sinter_spirv_has_atomic_min_max_##T(), __builtin_fmax##SUFFIX(old, x))

BITWISE(i8, u8)
BITWISE(i16, u16)
BITWISE(i32, u32)
BITWISE(i64, u64)
INTEGER(i8, u8)
INTEGER(u8, u8)
INTEGER(i16, u16)
INTEGER(u16, u16)
INTEGER(i32, u32)
INTEGER(u32, u32)
INTEGER(i64, u64)
INTEGER(u64, u64)
FLOATING(f32, f)
FLOATING(f64, )
