// The sub-group functions of a GPU. A value from a work-item that does not exist is unspecified. To
// be included after the exchange functions, in the namespace sub_group, and after sub_groups.hpp or
// its replacement.
#pragma once
#include "group.hpp"
#include "shifts.hpp"

SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_local_id() { return sub_group::lane(); }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_size() { return sub_group::members(); }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_max_size() { return sub_group::width(); }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_id() { return group::sub_group_id(); }
SSCP_BUILTIN u32 __acpp_sscp_get_num_subgroups() { return group::sub_groups(); }

#define MOVE(T)                                                                                                        \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_broadcast_##T(i32 sender, T x) {                                             \
    return sub_group::broadcast(x, (u32)sender);                                                                       \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_shift_left_##T(T x, u32 delta) {                                             \
    return sub_group::from_above(x, delta);                                                                            \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_shift_right_##T(T x, u32 delta) {                                            \
    return sub_group::from_below(x, delta);                                                                            \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_permute_##T(T x, i32 mask) {                                                 \
    return sub_group::from_partner(x, (u32)mask);                                                                      \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_select_##T(T x, i32 item) { return sub_group::from(x, (u32)item); }

#define COMBINE(T)                                                                                                     \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_reduce_##T(operation op, T x) { return sub_group::reduce(op, x); }           \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_inclusive_scan_##T(operation op, T x) {                                      \
    return sub_group::inclusive_scan(op, x);                                                                           \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_exclusive_scan_##T(operation op, T x, T init) {                              \
    return sub_group::exclusive_scan(op, x, init);                                               \
  }

#define SHIFT_SUB(T) SHIFT(sub_group, T)

ALL_MOVED(MOVE)
ALL_MOVED(SHIFT_SUB)
ALL_COMBINED(COMBINE)

// For programs in which a part of the sub-group runs a call: the items that run this one, those of
// the mask for which it is true, and the value of an item. All items of the mask run the call.
SSCP_COLLECTIVE u64 __acpp_sscp_sub_group_active() { return sub_group::active(); }
SSCP_COLLECTIVE u64 __acpp_sscp_sub_group_ballot(u64 mask, bool x) { return sub_group::ballot(mask, x) & mask; }
SSCP_COLLECTIVE i32 __acpp_sscp_sub_group_read_i32(u64 mask, i32 x, u32 item) {
  return sub_group::from_active(mask, x, item);
}
SSCP_COLLECTIVE i64 __acpp_sscp_sub_group_read_i64(u64 mask, i64 x, u32 item) {
  return sub_group::from_active(mask, x, item);
}

SSCP_COLLECTIVE bool __acpp_sscp_sub_group_any(bool x) { return sub_group::any(x); }
SSCP_COLLECTIVE bool __acpp_sscp_sub_group_all(bool x) { return sub_group::all(x); }
SSCP_COLLECTIVE bool __acpp_sscp_sub_group_none(bool x) { return !sub_group::any(x); }
