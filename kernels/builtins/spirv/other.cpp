// Output and assertions. A failed assertion must not go unnoticed, but SPIR-V has no instruction
// that ends a kernel. The item prints the message, writes to an invalid address, and loops for
// ever: a CPU ends the process, a GPU's driver reports the fault or that the kernel does not end.
// In a shader the report is what the host sees, and the item traps.
#include "features.hpp"
#include "instructions.hpp"

// Format and strings must be constants after inlining into the kernel. The report has `?` for a
// string that is not.
extern "C" i32 __sinter_spirv_print(const char *format, ...);
extern "C" i32 __sinter_spirv_report(const char *format, ...);

SSCP_BUILTIN void __acpp_sscp_print(const char *message) { __sinter_spirv_print("%s", message); }

[[noreturn, gnu::always_inline]] static inline void fail(const char *assertion, const char *file, u32 line, const char *function) {
  __sinter_spirv_report("%s:%u: %s: Assertion `%s' failed.\n", file, line, function, assertion);
  if (__sinter_spirv_is_shader())
    __builtin_trap();
  for (;;)
    *(volatile GLOBAL u32 *)nullptr = 0;
}

SSCP_BUILTIN void __acpp_sscp_assert_fail(const char *assertion, const char *file, u32 line, const char *function) {
  fail(assertion, file, line, function);
}
SSCP_BUILTIN void __acpp_sscp_glibcxx_assert_fail(const char *file, i32 line, const char *function,
                                                  const char *assertion) {
  fail(assertion, file, (u32)line, function);
}
// Called by the C library's assert(). Always inlined, like the others, so that its strings are
// constants.
SSCP_BUILTIN [[noreturn, gnu::always_inline]] void __assert_fail(const char *assertion, const char *file, u32 line, const char *function) {
  fail(assertion, file, line, function);
}
