// Powers and roots with integer exponents for targets with fast f64. To be included after
// elementary.hpp.
#pragma once
#include "math.hpp"

namespace math {
#include "../../../runtime/include/sycl/detail/derived_powers.hpp"
} // namespace math
