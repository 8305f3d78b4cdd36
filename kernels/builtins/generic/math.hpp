// Math functions that libraries do not have, on top of the elementary ones, which each target has from elsewhere
// (elementary.hpp of its folder, to be included before). The code is that of SYCL's host code.
#pragma once
#include "types.hpp"

namespace math {
#include "../../../runtime/include/sycl/detail/derived_math.hpp"
} // namespace math
