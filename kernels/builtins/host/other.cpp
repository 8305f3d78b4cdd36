// Output, assertions and sub-groups of one work-item.
#include "../generic/types.hpp"

extern "C" int printf(const char *format, ...);
extern "C" int dprintf(int descriptor, const char *format, ...);
extern "C" [[noreturn]] void abort();

SSCP_BUILTIN void __acpp_sscp_print(const char *message) { printf("%s", message); }

// Goes straight to standard error: the process ends before a buffer would be written.
static void report(const char *assertion, const char *file, u32 line, const char *function) {
  dprintf(2, "sinter: %s:%u: %s: assertion `%s` failed in a kernel\n", file, line, function, assertion);
  abort();
}

SSCP_BUILTIN void __acpp_sscp_assert_fail(const char *assertion, const char *file, u32 line, const char *function) {
  report(assertion, file, line, function);
}
SSCP_BUILTIN void __acpp_sscp_glibcxx_assert_fail(const char *file, i32 line, const char *function,
                                                  const char *assertion) {
  report(assertion, file, (u32)line, function);
}

// Defined by the translator for each launch shape.
extern "C" u64 __acpp_sscp_get_local_id_x();
extern "C" u64 __acpp_sscp_get_local_id_y();
extern "C" u64 __acpp_sscp_get_local_id_z();
extern "C" u64 __acpp_sscp_get_local_size_x();
extern "C" u64 __acpp_sscp_get_local_size_y();
extern "C" u64 __acpp_sscp_get_local_size_z();

SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_local_id() { return 0; }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_size() { return 1; }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_max_size() { return 1; }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_id() {
  u64 row = __acpp_sscp_get_local_id_y() + __acpp_sscp_get_local_size_y() * __acpp_sscp_get_local_id_z();
  return (u32)(__acpp_sscp_get_local_id_x() + __acpp_sscp_get_local_size_x() * row);
}
SSCP_BUILTIN u32 __acpp_sscp_get_num_subgroups() {
  return (u32)(__acpp_sscp_get_local_size_x() * __acpp_sscp_get_local_size_y() * __acpp_sscp_get_local_size_z());
}
