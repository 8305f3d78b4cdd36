// Sine and cosine of half turns for targets without such functions. To be included behind elementary.hpp.
#pragma once
#include "math.hpp"

namespace math {
#include "../../../runtime/include/sycl/detail/derived_half_turns.hpp"
} // namespace math
