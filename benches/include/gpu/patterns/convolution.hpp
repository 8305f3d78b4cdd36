// A separable filter of 17 coefficients over an image, rows or columns, with tiles and their
// margins in local memory.
//
// Points outside of the image are 0. Each work-item computes eight points, one group size apart.
#ifndef BENCHES_GPU_PATTERNS_CONVOLUTION_HPP
#define BENCHES_GPU_PATTERNS_CONVOLUTION_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr int filter_radius = 8, filter_size = 2 * filter_radius + 1, filter_steps = 8;

enum class along { rows, columns };

template <along Direction> struct convolution : pattern {
  static constexpr int block_x = 16, block_y = Direction == along::rows ? 4 : 8;

  std::size_t side;
  const float *coefficients, *in;
  float *out;

  template <class Device>
  convolution(Device &device, bool small)
      : side(sized(small, 8192, 256)), coefficients(device.template random<float>(filter_size, 121, 0, 0.1f)),
        in(device.template random<float>(side * side, 122, 0, 1)), out(device.template allocate<float>(side * side)) {
    bytes = 2.0 * sizeof(float) * side * side;
  }

  template <class Device> void reset(Device &device) const { device.poison(out, side * side); }

  template <class Device> bool correct(Device &device) const {
    return agrees(device, "convolution", out, side * side, 1e-5, [n = int(side)](std::size_t i) {
      const int row = int(i) / n, column = int(i) % n;
      double sum = 0;
      for (int k = -filter_radius; k <= filter_radius; k++) {
        const int at = (Direction == along::rows ? column : row) + k;
        const std::size_t from = Direction == along::rows ? std::size_t(row) * n + at : std::size_t(at) * n + column;
        if (at >= 0 && at < n)
          sum += double(random_real<float>(121, filter_radius - k, 0, 0.1f)) * random_real<float>(122, from, 0, 1);
      }
      return sum;
    });
  }
};

} // namespace gpu::patterns

#endif
