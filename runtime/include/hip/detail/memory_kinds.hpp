// The kind of memory that a pointer leads to. `__constant__` variables, and arguments whose address
// is taken, are in global or private memory. CPUs cannot tell, and targets that may be CPUs refuse
// the kernel.
#ifndef HIP_DETAIL_MEMORY_KINDS_HPP
#define HIP_DETAIL_MEMORY_KINDS_HPP

#include "builtins.hpp"

SINTER_HIP_DEVICE unsigned int sinter_hip_is_kind(const void *pointer, unsigned int kind) {
  return __sinter_memory_kind(static_cast<unsigned char *>(const_cast<void *>(pointer))) == kind;
}
SINTER_HIP_DEVICE unsigned int __isGlobal(const void *pointer) { return sinter_hip_is_kind(pointer, 1); }
SINTER_HIP_DEVICE unsigned int __isShared(const void *pointer) { return sinter_hip_is_kind(pointer, 3); }
SINTER_HIP_DEVICE unsigned int __isLocal(const void *pointer) { return sinter_hip_is_kind(pointer, 5); }
SINTER_HIP_DEVICE unsigned int __isConstant(const void *) { return 0; }
SINTER_HIP_DEVICE unsigned int __isGridConstant(const void *) { return 0; }

#endif
