// The references of the math functions, and the comparison of results with them. The functions and
// the bounds of their errors are in ulp_functions.hpp, which is generated from the table of device
// functions.
//
// A bound is in units in the last place of the exact result: those of the OpenCL 3.0 specification
// for the full profile (section 7.4), which SYCL 2020 refers to. A reference is computed in a wider
// type: f32 in double, f64 in long double. A bound of 0 means correctly rounded; such functions are
// their own reference on the host.
#ifndef GPU_ULP_HPP
#define GPU_ULP_HPP

#include "../numerics/reference.hpp"
#include "ulp_functions.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <thread>
#include <type_traits>
#include <vector>

namespace ulp {

constexpr double no_bound = std::numeric_limits<double>::infinity();

template <class T> using wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;
template <class T> using bits_of = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

namespace reference = ::reference;

// Arguments and results of one function.
template <class T> struct samples {
  std::vector<T> x, y;
  std::vector<std::int32_t> n;
};

inline std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// A quarter of the arguments are bit patterns spread evenly over the range of all patterns.
template <class T> T argument(std::uint64_t i, std::uint64_t count, double low, double high, std::uint64_t seed) {
  const std::uint64_t random = mix(i * 2 + 1 + (seed << 40));
  if (i % 4 != 0)
    return T(low + (high - low) * (double(random >> 11) * 0x1p-53));
  using bits = bits_of<T>;
  const bits step = bits(-1) / bits(count);
  const bits pattern = seed == 0 ? bits(step * i + random % step) : bits(random);
  T value;
  std::memcpy(&value, &pattern, sizeof value);
  // No signalling NaN: the C library distinguishes it from a quiet one.
  return std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
}

template <class T> samples<T> make(std::size_t count, double low, double high) {
  samples<T> made{std::vector<T>(count), std::vector<T>(count), std::vector<std::int32_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    made.x[i] = argument<T>(i, count, low, high, 0);
    made.y[i] = argument<T>(i / 3 * 4 + i % 7, count, low, high, 1);
    const std::int32_t n = std::int32_t(mix(i + 7) >> 32);
    made.n[i] = i % 8 == 0 ? n : n % 40;
  }
  return made;
}

// Restricts arguments to those for which the function is defined. Errors of the others are not
// measured in units in the last place.
template <class T> void keep_domain(const char *name, samples<T> &in) {
  const bool is_root = std::strcmp(name, "rootn") == 0, is_power = std::strcmp(name, "powr") == 0;
  for (std::size_t i = 0; i < in.x.size(); ++i) {
    if (is_power)
      in.x[i] = std::fabs(in.x[i]);
    if (is_root && (in.n[i] == 0 || in.x[i] < 0))
      in.n[i] |= 1;
  }
}

struct error {
  double ulps = 0, x = 0, y = 0, found = 0, expected = 0;
  std::size_t flushed = 0;
};

// Distance in units in the last place of the exact result.
template <class T> double distance(T found, wider<T> exact) {
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found) ? 0 : no_bound;
  const T rounded = static_cast<T>(exact);
  if (found == rounded)
    return 0;
  if (std::isinf(rounded) && std::isinf(exact))
    return no_bound;
  const auto limit = std::numeric_limits<T>::max();
  // A result that overflows counts as the first number beyond the range of T.
  const wider<T> value = std::isinf(found) ? std::copysign(wider<T>(limit) * (1 + wider<T>(std::numeric_limits<T>::epsilon()) / 2), found) : wider<T>(found);
  const int exponent = exact == 0 ? std::numeric_limits<T>::min_exponent : std::ilogb(exact) + 1;
  const int lowest = std::max(exponent, std::numeric_limits<T>::min_exponent) - std::numeric_limits<T>::digits;
  return double(std::fabs(std::ldexp(value - exact, -lowest)));
}

// OpenCL allows a device without subnormal f32 numbers to replace them, and results near them, by
// zero.
template <class T> bool is_flushed(T found, wider<T> exact) {
  return std::is_same_v<T, float> && found == 0 && std::fabs(exact) < wider<T>(std::numeric_limits<T>::min());
}

// Compares results with `exact(i)` on all cores.
template <class T, class Exact> error compare(const std::vector<T> &found, const samples<T> &in, Exact exact) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<error> worst(workers);
  std::vector<std::thread> threads;
  for (std::size_t worker = 0; worker < workers; ++worker)
    threads.emplace_back([&, worker] {
      error mine;
      for (std::size_t i = worker; i < found.size(); i += workers) {
        const wider<T> expected = exact(i);
        const double ulps = distance<T>(found[i], expected);
        if (ulps > 0.5 && is_flushed<T>(found[i], expected))
          ++mine.flushed;
        else if (ulps > mine.ulps)
          mine = {ulps, double(in.x[i]), double(in.y[i]), double(found[i]), double(expected), mine.flushed};
      }
      worst[worker] = mine;
    });
  error all;
  for (std::size_t worker = 0; worker < workers; ++worker) {
    threads[worker].join();
    const std::size_t flushed = all.flushed + worst[worker].flushed;
    if (worst[worker].ulps > all.ulps)
      all = worst[worker];
    all.flushed = flushed;
  }
  return all;
}

// Prints a line of the table. An exact function may round: its distance is then half a unit at
// most.
template <class T> bool report(const char *kind, const char *name, const error &worst, double bound) {
  const bool passed = worst.ulps <= std::max(bound, 0.5);
  const char *type = std::is_same_v<T, float> ? "f32" : "f64";
  char text[32];
  std::snprintf(text, sizeof text, bound == no_bound ? "none" : "%g", bound);
  std::printf("%-8s %-10s %s %10.3f %6s%s", kind, name, type, worst.ulps, text, passed ? "" : "  FAILED");
  if (!passed || worst.ulps > 1000)
    std::printf(" at %a, %a: %a, not %a", worst.x, worst.y, worst.found, worst.expected);
  if (worst.flushed != 0)
    std::printf("  (%zu flushed to zero)", worst.flushed);
  std::printf("\n");
  return passed;
}

} // namespace ulp

#endif
