// Assertions. A failed one ends the kernel with a trap, which the driver reports; its message
// cannot be printed.
#include "../generic/types.hpp"

SSCP_BUILTIN void __acpp_sscp_assert_fail(const char *, const char *, u32, const char *) { __builtin_trap(); }
SSCP_BUILTIN void __acpp_sscp_glibcxx_assert_fail(const char *, i32, const char *, const char *) { __builtin_trap(); }
// Called by the C library's assert().
SSCP_BUILTIN [[noreturn]] void __assert_fail(const char *, const char *, u32, const char *) { __builtin_trap(); }

// Kinds are numbered as LLVM's address spaces: 1 for global, 3 for local, 5 for private memory.
SSCP_BUILTIN u32 __sinter_memory_kind(u8 *pointer) {
  const auto generic = (const __attribute__((address_space(0))) void *)pointer;
  return __builtin_amdgcn_is_shared(generic) ? 3 : __builtin_amdgcn_is_private(generic) ? 5 : 1;
}
