// Instructions of AMD's GPUs that the CPU does not have, as the manuals of the instruction sets describe them.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace instructions {

// What is too large becomes the largest number, what is no number becomes 0.
template <class To, class From> To convert(From x) {
  using limits = std::numeric_limits<To>;
  if (x != x)
    return 0;
  if (x >= From(limits::max()))
    return limits::max();
  return x <= From(limits::min()) ? limits::min() : To(x);
}

} // namespace instructions

extern "C" {
std::int32_t convert_float_i32(float x) { return instructions::convert<std::int32_t>(x); }
std::int32_t convert_double_i32(double x) { return instructions::convert<std::int32_t>(x); }
std::int64_t convert_double_i64(double x) { return instructions::convert<std::int64_t>(x); }
// Loses subnormal numbers.
float approximate_rsqrt_f32(float x) {
  const bool is_lost = std::fpclassify(x) == FP_SUBNORMAL;
  return float(1 / std::sqrt(is_lost ? std::copysign(0.0, double(x)) : double(x)));
}
// Good to half of the digits.
double approximate_rsqrt_f64(double x) {
  double root = 1 / std::sqrt(x);
  std::uint64_t bits;
  std::memcpy(&bits, &root, sizeof bits);
  bits &= ~((std::uint64_t(1) << 26) - 1);
  std::memcpy(&root, &bits, sizeof bits);
  return root;
}
double canonical(double x) { return x; }
}
