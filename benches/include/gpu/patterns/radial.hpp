// Radial distribution: distances between all pairs of particles in a periodic box, counted in bins.
//
// Each item has a particle and loops over all others in tiles of local memory; a group accumulates
// its counts before it adds them to the result.
#ifndef BENCHES_GPU_PATTERNS_RADIAL_HPP
#define BENCHES_GPU_PATTERNS_RADIAL_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr int radial_bins = 256, radial_group = 128;
constexpr float box = 20, cutoff = 8, bin_width = cutoff / radial_bins;

struct alignas(16) particle {
  float x, y, z, unused;
};

struct radial : pattern {
  std::size_t count;
  const particle *particles;
  unsigned long long *counts;

  static particle place(std::size_t i) {
    const auto at = [i](std::uint32_t seed) { return random_real<float>(seed, i, 0, box); };
    return {at(161), at(162), at(163), 0};
  }
  template <class Device>
  radial(Device &device, bool small)
      : count(sized(small, 1 << 15, 1 << 11)), particles(device.upload(filled(count, place))),
        counts(device.template allocate<unsigned long long>(radial_bins)) {}

  template <class Device> void reset(Device &device) const { device.poison(counts, radial_bins); }

  // Both orders of a pair are counted. Distances near the border of two bins may be counted in
  // either.
  template <class Device> bool correct(Device &device) const {
    const std::vector<particle> all = filled(count, place);
    std::vector<double> wanted(radial_bins);
    std::vector<float> squares(count);
    const auto nearest = [](float d) { return d - box * float(d > box / 2) + box * float(d < -box / 2); };
    for (std::size_t i = 0; i < count; i++) {
      for (std::size_t j = i + 1; j < count; j++) {
        const float dx = nearest(all[j].x - all[i].x), dy = nearest(all[j].y - all[i].y),
                    dz = nearest(all[j].z - all[i].z);
        squares[j] = dx * dx + dy * dy + dz * dz;
      }
      for (std::size_t j = i + 1; j < count; j++)
        if (squares[j] < cutoff * cutoff)
          wanted[std::size_t(std::sqrt(squares[j]) / bin_width)] += 2;
    }
    const double pairs = double(count) * double(count);
    return close("radial", device.read(counts, radial_bins), wanted, 1e-6, pairs);
  }
};

} // namespace gpu::patterns

#endif
