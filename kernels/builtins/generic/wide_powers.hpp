// Powers and roots with whole exponents for targets where f64 is fast. To be included behind elementary.hpp.
#pragma once
#include "math.hpp"

namespace math {
#include "../../../runtime/include/sycl/detail/derived_powers.hpp"
} // namespace math
