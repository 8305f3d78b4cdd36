// Sub-groups are warps. A value from a work-item that does not exist is unspecified.
#include "warp.hpp"

SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_local_id() { return group::lane(); }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_size() { return group::members(); }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_max_size() { return group::warp_size; }
SSCP_BUILTIN u32 __acpp_sscp_get_subgroup_id() { return group::warp(); }
SSCP_BUILTIN u32 __acpp_sscp_get_num_subgroups() { return group::warps(); }

#define MOVE(T)                                                                                                        \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_broadcast_##T(i32 sender, T x) { return warp::from(x, (u32)sender); }         \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_shift_left_##T(T x, u32 delta) { return warp::from_above(x, delta); }         \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_shift_right_##T(T x, u32 delta) { return warp::from_below(x, delta); }        \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_permute_##T(T x, i32 mask) { return warp::from_partner(x, (u32)mask); }       \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_select_##T(T x, i32 item) { return warp::from(x, (u32)item); }

#define COMBINE(T)                                                                                                     \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_reduce_##T(operation op, T x) { return warp::reduce(op, x); }                 \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_inclusive_scan_##T(operation op, T x) { return warp::inclusive_scan(op, x); } \
  SSCP_COLLECTIVE T __acpp_sscp_sub_group_exclusive_scan_##T(operation op, T x, T init) {                               \
    return warp::after(op, init, warp::inclusive_scan(op, x));                                                          \
  }

ALL_MOVED(MOVE)
ALL_COMBINED(COMBINE)

SSCP_COLLECTIVE bool __acpp_sscp_sub_group_any(bool x) { return warp::any(x); }
SSCP_COLLECTIVE bool __acpp_sscp_sub_group_all(bool x) { return warp::all(x); }
SSCP_COLLECTIVE bool __acpp_sscp_sub_group_none(bool x) { return !warp::any(x); }
