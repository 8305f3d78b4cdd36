// Output and assertions, through functions that the driver links into every kernel.
#include "../generic/types.hpp"

extern "C" i32 vprintf(const char *format, const void *arguments);
// Prints message and source location, and ends the kernel and the context. The last argument is the
// size of a character.
extern "C" [[noreturn]] void __assertfail(const char *message, const char *file, u32 line, const char *function, u64);

SSCP_BUILTIN void __acpp_sscp_print(const char *message) {
  // Each argument is aligned to its size.
  const struct {
    const char *message;
  } arguments = {message};
  vprintf("%s", &arguments);
}

SSCP_BUILTIN void __acpp_sscp_assert_fail(const char *assertion, const char *file, u32 line, const char *function) {
  __assertfail(assertion, file, line, function, 1);
}
SSCP_BUILTIN void __acpp_sscp_glibcxx_assert_fail(const char *file, i32 line, const char *function,
                                                  const char *assertion) {
  __assertfail(assertion, file, (u32)line, function, 1);
}
// Called by the C library's assert().
SSCP_BUILTIN [[noreturn]] void __assert_fail(const char *assertion, const char *file, u32 line, const char *function) {
  __assertfail(assertion, file, line, function, 1);
}

// Kinds are numbered as LLVM's address spaces: 1 for global, 3 for local, 5 for private memory.
SSCP_BUILTIN u32 __sinter_memory_kind(u8 *pointer) {
  return __nvvm_isspacep_shared(pointer) ? 3 : __nvvm_isspacep_local(pointer) ? 5 : 1;
}
