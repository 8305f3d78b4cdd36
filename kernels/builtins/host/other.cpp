// Output, assertions and sub-groups of one work-item.
#include "../generic/types.hpp"

extern "C" int printf(const char *format, ...);
// Prints to standard error, as it does for host code, and ends the process.
extern "C" [[noreturn]] void __assert_fail(const char *assertion, const char *file, u32 line, const char *function);

SSCP_BUILTIN void __acpp_sscp_print(const char *message) { printf("%s", message); }

SSCP_BUILTIN void __acpp_sscp_assert_fail(const char *assertion, const char *file, u32 line, const char *function) {
  __assert_fail(assertion, file, line, function);
}
SSCP_BUILTIN void __acpp_sscp_glibcxx_assert_fail(const char *file, i32 line, const char *function,
                                                  const char *assertion) {
  __assert_fail(assertion, file, (u32)line, function);
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
