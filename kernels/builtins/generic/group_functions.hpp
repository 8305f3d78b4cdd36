// The work-group functions of a GPU. To be included after the definitions of the collectives, in
// the namespace `collective`.
#pragma once
#include "group.hpp"
#include "shifts.hpp"

#define MOVE(T)                                                                                                        \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_broadcast_##T(i32 sender, T x) {                                            \
    return collective::broadcast(x, (u32)sender);                                                                      \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_shift_left_##T(T x, u32 delta) {                                            \
    return collective::take(x, group::linear_id() + delta);                                                            \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_shift_right_##T(T x, u32 delta) {                                           \
    return collective::take(x, group::linear_id() - delta);                                                            \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_permute_##T(T x, i32 mask) {                                                \
    return collective::take(x, group::linear_id() ^ (u32)mask);                                                        \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_select_##T(T x, i32 item) { return collective::take(x, (u32)item); }

#define COMBINE(T)                                                                                                     \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_reduce_##T(operation op, T x) { return collective::reduce(op, x); }         \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_inclusive_scan_##T(operation op, T x) {                                     \
    return collective::inclusive_scan(op, x);                                                                          \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_work_group_exclusive_scan_##T(operation op, T x, T init) {                             \
    return collective::exclusive_scan(op, x, init);                                                                    \
  }

#define SHIFT_WORK(T) SHIFT(work_group, T)

ALL_MOVED(MOVE)
ALL_MOVED(SHIFT_WORK)
ALL_COMBINED(COMBINE)
