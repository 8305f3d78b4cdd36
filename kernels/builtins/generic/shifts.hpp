// The shifts under the names in AdaptiveCpp's headers. To be included after the functions of a
// group.
#pragma once
#include "group.hpp"

#define SHIFT(GROUP, T)                                                                                                \
  SSCP_COLLECTIVE T __acpp_sscp_##GROUP##_shl_##T(T x, u32 delta) {                                                    \
    return __acpp_sscp_##GROUP##_shift_left_##T(x, delta);                                                             \
  }                                                                                                                    \
  SSCP_COLLECTIVE T __acpp_sscp_##GROUP##_shr_##T(T x, u32 delta) {                                                    \
    return __acpp_sscp_##GROUP##_shift_right_##T(x, delta);                                                            \
  }
