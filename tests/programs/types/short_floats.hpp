// A reference for 16-bit floating-point types, which rounds double with the C library.
#ifndef PROGRAMS_SHORT_FLOATS_HPP
#define PROGRAMS_SHORT_FLOATS_HPP

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "../check.hpp"
#include "../subnormals.hpp"

inline constexpr int patterns = 65536;

// The value of the pattern, with this number of fraction bits.
inline double value_of(std::uint16_t bits, int fraction) {
  const int field = (bits & 0x7fff) >> fraction, top = 0x7fff >> fraction, bias = top / 2;
  const double size = bits & ((1 << fraction) - 1), implicit = field == 0 ? 0 : 1 << fraction;
  const double value = field == top ? (size == 0 ? HUGE_VAL : NAN)
                                    : std::ldexp(size + implicit, (field == 0 ? 1 : field) - bias - fraction);
  return bits & 0x8000 ? -value : value;
}

// The distance of neighbours at x.
inline double unit_at(double x, int fraction) {
  const int bias = (0x7fff >> fraction) / 2;
  return std::ldexp(1.0, std::max(x == 0 ? 1 - bias : std::ilogb(x), 1 - bias) - fraction);
}
// Rounds to nearest, ties to even.
inline double rounded(double x, int fraction) {
  if (x == 0 || !std::isfinite(x))
    return x;
  const double unit = unit_at(x, fraction), near = std::nearbyint(x / unit) * unit;
  const double greatest = value_of(static_cast<std::uint16_t>((0x7fff >> fraction << fraction) - 1), fraction);
  return std::fabs(near) > greatest ? std::copysign(HUGE_VAL, x) : near;
}

inline bool same(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::isnan(a) && std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

// Set if the device may take a subnormal number of float for zero.
inline bool may_flush = false;

inline void take_device(const sycl::device &device) {
  may_flush = !keeps_subnormals(device);
}

inline bool is_flushed(std::initializer_list<double> numbers) {
  return std::any_of(numbers.begin(), numbers.end(),
                     [](double number) { return number != 0 && std::fabs(number) < 0x1p-126; });
}

inline void expect(bool good, const char *what, const char *where, double x, double y, double actual, double wanted) {
  const bool flushes = may_flush && where == std::string("device");
  if (good || (flushes && std::fabs(actual) <= 0x1p-126 && is_flushed({actual, wanted})))
    return;
  // Operands that count as zeros.
  if (flushes && !std::isnan(actual) && is_flushed({x, y}))
    return;
  std::printf("%s on the %s: of %a and %a it is %a, not %a\n", what, where, x, y, actual, wanted);
  std::exit(1);
}

// The second operand for a pattern: each pattern meets others that are spread over all.
inline std::uint16_t partner(int i, int round) {
  return static_cast<std::uint16_t>((static_cast<unsigned>(i) * 40503u + static_cast<unsigned>(round) * 9973u) >> 2);
}

// Computes `make(i)` for all patterns on the device, then on the host, and calls
// `judge(i, result, where)`.
template <class Result, class Make, class Judge>
void for_all(sycl::queue &queue, const Make &make, const Judge &judge) {
  Result *results = sycl::malloc_shared<Result>(patterns, queue);
  queue.parallel_for(patterns, [=](sycl::id<1> i) { results[i] = make(static_cast<int>(i[0])); }).wait();
  for (int i = 0; i < patterns; ++i)
    judge(i, results[i], "device");
  for (int i = 0; i < patterns; ++i)
    judge(i, make(i), "host");
  sycl::free(results, queue);
}

#endif
