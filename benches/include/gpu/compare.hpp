// Compares results of a device with a reference on the host.
//
// Arrays of gigabytes are not read back as a whole: the device counts the elements that still hold
// the poison, and the host compares windows spread over the array, including its first and last
// elements.
#ifndef BENCHES_GPU_COMPARE_HPP
#define BENCHES_GPU_COMPARE_HPP

#include "random.hpp"
#include "test.hpp"

#include <cmath>

namespace gpu {

constexpr std::size_t window = 1024, windows = 64;

// True if `found` equals `wanted` within `tolerance`, relative to `scale`. False for NaN.
inline bool near(const char *what, std::size_t i, double found, double wanted, double scale, double tolerance) {
  if (std::fabs(found - wanted) <= tolerance * scale)
    return true;
  std::fprintf(stderr, "%s: element %zu is %.9g, expected %.9g\n", what, i, found, wanted);
  return false;
}

template <class Device, class T> bool written(Device &device, const char *what, const T *values, std::size_t count) {
  const std::size_t left = device.poisoned(values, count);
  if (left != 0)
    std::fprintf(stderr, "%s: %zu of %zu elements were not written\n", what, left, count);
  return left == 0;
}

// Compares windows of `values` with `wanted(i)`.
template <class Device, class T, class F>
bool agrees(Device &device, const char *what, const T *values, std::size_t count, double tolerance, const F &wanted) {
  if (!written(device, what, values, count))
    return false;
  const std::size_t size = std::min(window, count);
  for (std::size_t w = 0; w < windows; w++) {
    const std::size_t first =
        (count - size) / (windows - 1) * w + (w + 1 == windows ? (count - size) % (windows - 1) : 0);
    const std::vector<T> part = device.read(values + first, size);
    for (std::size_t i = 0; i < size; i++) {
      const double want = wanted(first + i);
      if (!near(what, first + i, part[i], want, std::fabs(want) + 1e-30, tolerance))
        return false;
    }
  }
  return true;
}

} // namespace gpu

#endif
