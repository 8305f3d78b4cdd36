// Instructions of NVIDIA's GPUs that the CPU does not have, as the PTX manual describes them.
#include <cmath>
#include <cstdint>
#include <limits>

namespace instructions {

// What is too large becomes the largest number. What is no number becomes 0, or the smallest one if either type has 64
// bits.
template <class To, class From> To convert(From x) {
  using limits = std::numeric_limits<To>;
  if (x != x)
    return sizeof(To) == 8 || sizeof(From) == 8 ? limits::min() : 0;
  if (x >= From(limits::max()))
    return limits::max();
  return x <= From(limits::min()) ? limits::min() : To(x);
}

} // namespace instructions

extern "C" {
std::int32_t convert_float_i32(float x) { return instructions::convert<std::int32_t>(x); }
std::int32_t convert_double_i32(double x) { return instructions::convert<std::int32_t>(x); }
std::int64_t convert_double_i64(double x) { return instructions::convert<std::int64_t>(x); }
// The instruction is good to two units in the last place; the tests are of what is around it.
float approximate_rsqrt(float x) { return float(1 / std::sqrt(double(x))); }
}
