// Assertions. A failed one ends the kernel with a trap, which the driver reports; its message
// cannot be printed.
#include "../generic/types.hpp"

SSCP_BUILTIN void __acpp_sscp_assert_fail(const char *, const char *, u32, const char *) { __builtin_trap(); }
SSCP_BUILTIN void __acpp_sscp_glibcxx_assert_fail(const char *, i32, const char *, const char *) { __builtin_trap(); }
// Called by the C library's assert().
SSCP_BUILTIN [[noreturn]] void __assert_fail(const char *, const char *, u32, const char *) { __builtin_trap(); }
