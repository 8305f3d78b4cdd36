// Assertions. One that fails ends the kernel by a trap, which the driver reports; there is no way
// to print its text.
#include "../generic/types.hpp"

SSCP_BUILTIN void __acpp_sscp_assert_fail(const char *, const char *, u32, const char *) { __builtin_trap(); }
SSCP_BUILTIN void __acpp_sscp_glibcxx_assert_fail(const char *, i32, const char *, const char *) { __builtin_trap(); }
// What the C library's assert() calls.
SSCP_BUILTIN [[noreturn]] void __assert_fail(const char *, const char *, u32, const char *) { __builtin_trap(); }
