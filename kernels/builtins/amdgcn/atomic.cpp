// Atomics. The code generator expands floating-point operations into loops if the processor has no
// instruction for them, or if the kernel's attributes forbid its use.
#include "../generic/atomics.hpp"

// For clang a pointer without address space has another type than one into the generic address
// space.
#define GENERIC __attribute__((address_space(0)))

// True if a pointer points to private memory, which atomic instructions do not support. Folded if
// the optimiser infers the address space.
ATOMIC_INLINE bool is_private(atomic_mode m, const void *p) {
  bool is_unknown = m.where != space::global && m.where != space::local;
  return m.where == space::private_ || (is_unknown && __builtin_amdgcn_is_private((GENERIC const void *)p));
}

#include "../generic/scoped_atomics.hpp"
