// Work of whole groups: a Fourier transform in local memory, a prefix sum with the group algorithm,
// and a count over random numbers.
#ifndef BENCHES_GPU_PATTERNS_GROUPS_HPP
#define BENCHES_GPU_PATTERNS_GROUPS_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr int transform_bits = 10, transform_size = 1 << transform_bits;

struct waves {
  float re, im;
};

BENCH_SHARED int reversed(int i) {
  int result = 0;
  for (int k = 0; k < transform_bits; k++, i >>= 1)
    result = result << 1 | (i & 1);
  return result;
}

// Discrete Fourier transforms of 1024 points, radix 2, in groups of 256.
struct fourier : pattern {
  std::size_t count;
  const waves *in;
  waves *out;

  static waves start(std::size_t i) { return {random_real<float>(251, i, -1, 1), random_real<float>(252, i, -1, 1)}; }

  template <class Device>
  fourier(Device &device, bool small)
      : count(sized(small, std::size_t(1) << 23, 1 << 13)), in(device.upload(filled(count, start))),
        out(device.template allocate<waves>(count)) {
    bytes = 2.0 * sizeof(waves) * count;
  }

  template <class Device> void reset(Device &device) const { device.poison(out, count); }

  // Compares some points of some transforms with the definition.
  template <class Device> bool correct(Device &device) const {
    for (std::uint32_t sample = 0; sample < 512; sample++) {
      const std::size_t at = random_word(253, sample) % count, first = at / transform_size * transform_size;
      double re = 0, im = 0;
      for (std::size_t k = 0; k < transform_size; k++) {
        const double angle = -6.283185307179586 * double(k * (at - first) % transform_size) / transform_size;
        const waves x = start(first + k);
        re += x.re * std::cos(angle) - x.im * std::sin(angle);
        im += x.re * std::sin(angle) + x.im * std::cos(angle);
      }
      const waves found = device.read(out + at, 1)[0];
      if (!near("fourier real", at, found.re, re, 32, 1e-5) || !near("fourier imaginary", at, found.im, im, 32, 1e-5))
        return false;
    }
    return true;
  }
};

// Prefix sums over blocks of 256 words.
struct prefix : pattern_of_words {
  template <class Device>
  prefix(Device &device, bool small) : pattern_of_words(device, sized(small, std::size_t(1) << 25, 1 << 14), 254) {}

  template <class Device> bool correct(Device &device) const {
    std::uint32_t sum = 0;
    const auto wanted = filled(count, [&](std::size_t i) {
      sum = (i % group_size == 0 ? 0 : sum) + random_word(254, i);
      return sum;
    });
    return same("prefix", device.read(out, count), wanted);
  }
};

struct four_words {
  std::uint32_t word[4];
};

// Philox 4x32-10 (Salmon et al., 2011) of a counter, with a key of one word.
BENCH_SHARED four_words philox(std::uint32_t counter, std::uint32_t stream) {
  four_words x = {{counter, stream, 0, 0}};
  std::uint32_t low_key = 0x12345678, high_key = 0;
  for (int round = 0; round < 10; round++, low_key += 0x9e3779b9, high_key += 0xbb67ae85) {
    const std::uint64_t a = std::uint64_t(0xd2511f53) * x.word[0], b = std::uint64_t(0xcd9e8d57) * x.word[2];
    x = {{std::uint32_t(b >> 32) ^ x.word[1] ^ low_key, std::uint32_t(b), std::uint32_t(a >> 32) ^ x.word[3] ^ high_key,
          std::uint32_t(a)}};
  }
  return x;
}

// Number of points inside the circle, out of the two that four words define.
BENCH_SHARED unsigned in_circle(const four_words &x) {
  const auto inside = [](std::uint32_t a, std::uint32_t b) {
    const float u = float(a >> 8) * (1.0f / 16777216), v = float(b >> 8) * (1.0f / 16777216);
    return u * u + v * v < 1 ? 1u : 0u;
  };
  return inside(x.word[0], x.word[1]) + inside(x.word[2], x.word[3]);
}

constexpr std::uint32_t draws_per_item = 64;

struct darts : pattern {
  std::size_t items;
  unsigned long long *hits;

  template <class Device>
  darts(Device &device, bool small)
      : items(sized(small, 1 << 18, 1 << 11)), hits(device.template allocate<unsigned long long>(1)) {}

  template <class Device> void reset(Device &device) const { device.poison(hits, 1); }

  // Points near the circle may be counted either way.
  template <class Device> bool correct(Device &device) const {
    double wanted = 0;
    for (std::uint32_t i = 0; i < items; i++)
      for (std::uint32_t k = 0; k < draws_per_item; k++)
        wanted += in_circle(philox(k, i));
    return near("darts", 0, double(device.read(hits, 1)[0]), wanted, wanted, 1e-6);
  }
};

} // namespace gpu::patterns

#endif
