// Atomics. The backend lowers them to instructions with the order, the scope and the address space
// that are left after optimisation. clang 19 has no scopes for PTX, so this file is compiled for
// AMD GPUs, whose scopes the backend maps.
#include "../../generic/atomics.hpp"

// The backend emits the test for generic pointers.
ATOMIC_INLINE bool is_private(atomic_mode m, const void *) { return m.where == space::private_; }

// PTX has no instruction for atomic floating-point minimum and maximum.
static f32 fetch_min(atomic_mode m, f32 *p, f32 x);
static f64 fetch_min(atomic_mode m, f64 *p, f64 x);
static f32 fetch_max(atomic_mode m, f32 *p, f32 x);
static f64 fetch_max(atomic_mode m, f64 *p, f64 x);

#include "../../generic/scoped_atomics.hpp"

// Replaces a number by a function of its value. A relaxed operation that does not change the value
// need not write.
template <class T, class Function> ATOMIC_INLINE T update_number(atomic_mode m, T *p, Function function) {
  using word = word_of<T>;
  word old = load(without_order(m), (word *)p);
  for (;;) {
    word next = __builtin_bit_cast(word, function(__builtin_bit_cast(T, old))), seen = old;
    if ((m.how == order::relaxed && next == old) || exchange_there(m, (word *)p, &seen, next))
      return __builtin_bit_cast(T, old);
    old = seen;
  }
}

#define EXTREME(NAME, T, FUNCTION)                                                                                     \
  ATOMIC_INLINE T fetch_##NAME(atomic_mode m, T *p, T x) {                                                             \
    return update_number(m, p, [x](T old) { return FUNCTION(old, x); });                                               \
  }
EXTREME(min, f32, __builtin_fminf)
EXTREME(max, f32, __builtin_fmaxf)
EXTREME(min, f64, __builtin_fmin)
EXTREME(max, f64, __builtin_fmax)
