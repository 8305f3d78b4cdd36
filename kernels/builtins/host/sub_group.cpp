// Sub-groups of one work-item: every collective returns the item's own value.
#include "../generic/group.hpp"
#include "../generic/shifts.hpp"
#include "../generic/orders.hpp"

SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_local_id() { return 0; }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_size() { return 1; }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_max_size() { return 1; }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_id() { return (u32)group::local_linear_id(); }
SSCP_BUILTIN u32 __acpp_sscp_get_num_subgroups() { return (u32)group::local_linear_range(); }

// There is no other item to wait for. A scope beyond the sub-group still orders the item's accesses
// for others.
SSCP_COLLECTIVE void __acpp_sscp_sub_group_barrier(scope s, order o) {
  if (s > scope::sub_group)
    WITH_ORDER(o, __atomic_thread_fence(ORDER));
}

// The value of a non-existent item is unspecified.
#define MOVE(T)                                                                                                        \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_broadcast_##T(i32, T x) { return x; }                                         \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_shift_left_##T(T x, u32) { return x; }                                        \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_shift_right_##T(T x, u32) { return x; }                                       \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_permute_##T(T x, i32) { return x; }                                           \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_select_##T(T x, i32) { return x; }

#define COMBINE(T)                                                                                                     \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_reduce_##T(operation, T x) { return x; }                                      \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_inclusive_scan_##T(operation, T x) { return x; }                              \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_exclusive_scan_##T(operation, T, T init) { return init; }

#define SHIFT_SUB(T) SHIFT(sub_group, T)

ALL_MOVED(MOVE)
ALL_MOVED(SHIFT_SUB)
ALL_COMBINED(COMBINE)

SSCP_COLLECTIVE u64 __acpp_sscp_sub_group_active() { return 1; }
SSCP_COLLECTIVE u64 __acpp_sscp_sub_group_ballot(u64, bool x) { return x; }
SSCP_COLLECTIVE i32 __acpp_sscp_sub_group_read_i32(u64, i32 x, u32) { return x; }
SSCP_COLLECTIVE i64 __acpp_sscp_sub_group_read_i64(u64, i64 x, u32) { return x; }

SSCP_COLLECTIVE bool __acpp_sscp_sub_group_any(bool x) { return x; }
SSCP_COLLECTIVE bool __acpp_sscp_sub_group_all(bool x) { return x; }
SSCP_COLLECTIVE bool __acpp_sscp_sub_group_none(bool x) { return !x; }
