// Two-dimensional grids: a five-point stencil in f64, and a Jacobi step in f32 that also sums up
// the changes.
#ifndef BENCHES_GPU_PATTERNS_GRIDS_HPP
#define BENCHES_GPU_PATTERNS_GRIDS_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr int grid_block = 16;

struct five_points : pattern {
  std::size_t side;
  const double *in;
  double *out;

  template <class Device>
  five_points(Device &device, bool small)
      : side(sized(small, 8192, 256)), in(device.template random<double>(side * side, 191, 0, 1)),
        out(device.template allocate<double>(side * side)) {
    bytes = 2.0 * sizeof(double) * side * side;
  }

  template <class Device> void reset(Device &device) const { device.poison(out, side * side); }

  template <class Device> bool correct(Device &device) const {
    return agrees(device, "five_points", out, side * side, 1e-12, [n = side](std::size_t i) {
      const auto at = [](std::size_t k) { return random_real<double>(191, k, 0, 1); };
      const std::size_t x = i % n, y = i / n;
      if (x == 0 || x + 1 == n || y == 0 || y + 1 == n)
        return at(i);
      return 0.5 * at(i) + 0.125 * (at(i - 1) + at(i + 1) + at(i - n) + at(i + n));
    });
  }
};

struct jacobi : pattern {
  std::size_t side;
  const float *in;
  float *out, *change;

  template <class Device>
  jacobi(Device &device, bool small)
      : side(sized(small, 8192, 256)), in(device.template random<float>(side * side, 192, 0, 1)),
        out(device.template allocate<float>(side * side)), change(device.template allocate<float>(1)) {
    bytes = 2.0 * sizeof(float) * side * side;
  }

  template <class Device> void reset(Device &device) const {
    device.poison(out, side * side);
    device.poison(change, 1);
  }

  template <class Device> bool correct(Device &device) const {
    const std::vector<float> from = device.read(in, side * side), to = device.read(out, side * side);
    double wanted_change = 0;
    for (std::size_t y = 0; y < side; y++)
      for (std::size_t x = 0; x < side; x++) {
        const std::size_t i = y * side + x;
        const bool inner = x > 0 && x + 1 < side && y > 0 && y + 1 < side;
        const double wanted =
            inner ? 0.25 * (double(from[i - 1]) + from[i + 1] + from[i - side] + from[i + side]) : from[i];
        if (!near("jacobi", i, to[i], wanted, 1, 1e-6))
          return false;
        wanted_change += (wanted - from[i]) * (wanted - from[i]);
      }
    return near("change", 0, device.read(change, 1)[0], wanted_change, wanted_change, 1e-3);
  }
};

} // namespace gpu::patterns

#endif
