// Images: the Sobel operator on bytes, and a bilateral filter in f32.
#ifndef BENCHES_GPU_PATTERNS_IMAGES_HPP
#define BENCHES_GPU_PATTERNS_IMAGES_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr int image_block = 16;

struct sobel : pattern {
  std::size_t side;
  const std::uint8_t *in;
  std::uint8_t *out;

  static std::uint8_t pixel(std::size_t i) { return std::uint8_t(random_word(221, i / 4) >> (i % 4 * 8)); }

  template <class Device>
  sobel(Device &device, bool small)
      : side(sized(small, 8192, 256)),
        in(reinterpret_cast<const std::uint8_t *>(device.random_words(side * side / 4, 221))),
        out(device.template allocate<std::uint8_t>(side * side)) {
    bytes = 2.0 * side * side;
  }

  template <class Device> void reset(Device &device) const { device.poison(out, side * side); }

  // Pixels on the border are 0. Compares every 31st pixel.
  template <class Device> bool correct(Device &device) const {
    const std::vector<std::uint8_t> found = device.read(out, side * side);
    for (std::size_t i = 0; i < side * side; i += 31) {
      const std::size_t x = i % side, y = i / side;
      double wanted = 0;
      if (x > 0 && x + 1 < side && y > 0 && y + 1 < side) {
        const auto at = [=](std::size_t row, std::size_t column) { return int(pixel(row * side + column)); };
        const int across = at(y - 1, x + 1) + 2 * at(y, x + 1) + at(y + 1, x + 1) - at(y - 1, x - 1) -
                           2 * at(y, x - 1) - at(y + 1, x - 1);
        const int down = at(y + 1, x - 1) + 2 * at(y + 1, x) + at(y + 1, x + 1) - at(y - 1, x - 1) - 2 * at(y - 1, x) -
                         at(y - 1, x + 1);
        wanted = std::min(255.0, std::floor(std::sqrt(double(across * across + down * down))));
      }
      if (found[i] != wanted) {
        std::fprintf(stderr, "sobel: pixel %zu is %d, expected %g\n", i, found[i], wanted);
        return false;
      }
    }
    return true;
  }
};

constexpr int bilateral_radius = 4;
constexpr float by_distance = 0.03f, by_value = 8;

struct bilateral : pattern {
  std::size_t side;
  const float *in;
  float *out;

  template <class Device>
  bilateral(Device &device, bool small)
      : side(sized(small, 2048, 128)), in(device.template random<float>(side * side, 222, 0, 1)),
        out(device.template allocate<float>(side * side)) {}

  template <class Device> void reset(Device &device) const { device.poison(out, side * side); }

  template <class Device> bool correct(Device &device) const {
    return agrees(device, "bilateral", out, side * side, 1e-5, [n = int(side)](std::size_t i) {
      const auto inside = [n](int k) { return std::min(std::max(k, 0), n - 1); };
      const auto at = [n](int row, int column) {
        return double(random_real<float>(222, std::size_t(row) * std::size_t(n) + std::size_t(column), 0, 1));
      };
      const int x = int(i) % n, y = int(i) / n;
      double sum = 0, weights = 0;
      for (int dy = -bilateral_radius; dy <= bilateral_radius; dy++)
        for (int dx = -bilateral_radius; dx <= bilateral_radius; dx++) {
          const double other = at(inside(y + dy), inside(x + dx)), difference = other - at(y, x);
          const double weight = std::exp(-(dx * dx + dy * dy) * by_distance - difference * difference * by_value);
          sum += weight * other;
          weights += weight;
        }
      return sum / weights;
    });
  }
};

} // namespace gpu::patterns

#endif
