// Output and assertions.
#include "../generic/types.hpp"

extern "C" int printf(const char *format, ...);
// Prints to standard error and ends the process, as in host code.
extern "C" [[noreturn]] void __assert_fail(const char *assertion, const char *file, u32 line, const char *function);

SSCP_BUILTIN void __acpp_sscp_print(const char *message) { printf("%s", message); }

SSCP_BUILTIN void __acpp_sscp_assert_fail(const char *assertion, const char *file, u32 line, const char *function) {
  __assert_fail(assertion, file, line, function);
}
SSCP_BUILTIN void __acpp_sscp_glibcxx_assert_fail(const char *file, i32 line, const char *function,
                                                  const char *assertion) {
  __assert_fail(assertion, file, (u32)line, function);
}
