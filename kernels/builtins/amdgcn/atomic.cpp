// Atomics. The code generator expands floating-point operations into loops if the processor has no
// instruction for them, or if the kernel's attributes forbid its use.
#include "../generic/atomics.hpp"

// To clang a pointer without an address space is of another type than one into the generic one.
#define GENERIC __attribute__((address_space(0)))

// True if a pointer leads to private memory, on which operations that read and write do nothing
// sensible. The question is gone where the optimiser infers the address space.
ATOMIC_INLINE bool is_private(atomic_mode m, const void *p) {
  bool is_unknown = m.where != space::global && m.where != space::local;
  return m.where == space::private_ || (is_unknown && __builtin_amdgcn_is_private((GENERIC const void *)p));
}

#include "../generic/scoped_atomics.hpp"
