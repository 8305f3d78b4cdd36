// Math functions that libraries lack, on top of the target's elementary functions (elementary.hpp
// of its folder, to be included before). The code is shared with SYCL's host code.
#pragma once
#include "types.hpp"

namespace math {
#include "../../../runtime/include/sycl/detail/derived_math.hpp"
} // namespace math
