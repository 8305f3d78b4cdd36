// Assertions. One that fails must not go unnoticed, but SPIR-V has no instruction that ends a kernel, and text can
// only be printed if it is part of an instruction. The item writes to where nothing is, and does not go on: a CPU
// ends the process, a GPU's driver reports the fault or that the kernel does not end.
#include "instructions.hpp"

[[noreturn]] static inline void fail() {
  for (;;)
    *(volatile GLOBAL u32 *)nullptr = 0;
}

SSCP_BUILTIN void __acpp_sscp_assert_fail(const char *, const char *, u32, const char *) { fail(); }
SSCP_BUILTIN void __acpp_sscp_glibcxx_assert_fail(const char *, i32, const char *, const char *) { fail(); }
// What the C library's assert() calls.
SSCP_BUILTIN [[noreturn]] void __assert_fail(const char *, const char *, u32, const char *) { fail(); }
