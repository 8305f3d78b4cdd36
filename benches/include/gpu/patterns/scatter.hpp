// Scattered additions: single values, or rows of eight, are added at indexed positions,
// by an atomic addition or an exchange.
#ifndef BENCHES_GPU_PATTERNS_SCATTER_HPP
#define BENCHES_GPU_PATTERNS_SCATTER_HPP

#include "pattern.hpp"

namespace gpu::patterns {

// Single values are rows of length one.
template <class T, int Width> struct scatter : pattern {
  std::size_t rows, places;
  const int *index;
  const T *in;
  T *out;

  template <class Device>
  scatter(Device &device, bool small)
      : rows(sized(small, std::size_t(1) << (Width == 1 ? 24 : 21), 1 << 14)),
        places(sized(small, std::size_t(1) << (Width == 1 ? 20 : 17), 1 << 10)),
        index(device.upload(filled(rows, [this](std::size_t i) { return int(random_word(111, i) % places); }))),
        in(device.upload(filled(rows * Width, [](std::size_t i) { return T(random_word(112, i) >> 20); }))),
        out(device.template allocate<T>(places * Width)) {}

  template <class Device> void reset(Device &device) const { device.clear(out, places * Width); }

  // Sums of few integers are exact even in float.
  template <class Device> bool correct(Device &device) const {
    std::vector<T> wanted(places * Width);
    for (std::size_t i = 0; i < rows * Width; i++)
      wanted[random_word(111, i / Width) % places * Width + i % Width] += T(random_word(112, i) >> 20);
    return same("scatter", device.read(out, places * Width), wanted);
  }
};

// Added by a loop around a compare-exchange, as programs do that are older than atomic additions of
// doubles.
struct scatter_by_exchange : scatter<double, 1> {
  using scatter::scatter;
};

} // namespace gpu::patterns

#endif
