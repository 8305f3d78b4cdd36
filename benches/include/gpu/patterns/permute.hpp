// Permutations: values gathered by an index, with several group sizes, and a transposition of
// tensor axes.
#ifndef BENCHES_GPU_PATTERNS_PERMUTE_HPP
#define BENCHES_GPU_PATTERNS_PERMUTE_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr std::size_t gathered_bits = 25;

// A permutation of the numbers with this many bits: odd factors and right shifts are invertible.
BENCH_SHARED std::uint32_t permuted(std::uint32_t i, int bits) {
  const std::uint32_t mask = (1u << bits) - 1;
  i = i * 2654435761u & mask;
  i ^= i >> (bits / 2);
  return i * 2246822519u & mask;
}

template <int Group> struct gather : pattern {
  std::size_t bits, count;
  const std::uint32_t *index;
  const float *in;
  float *out;

  template <class Device>
  gather(Device &device, bool small)
      : bits(sized(small, 24, 14)), count(std::size_t(1) << bits),
        index(device.upload(filled(count, [b = int(bits)](std::size_t i) { return permuted(std::uint32_t(i), b); }))),
        in(device.template random<float>(count, 181, 0, 1)), out(device.template allocate<float>(count)) {}

  template <class Device> void reset(Device &device) const { device.poison(out, count); }

  template <class Device> bool correct(Device &device) const {
    return agrees(device, "gather", out, count, 0, [b = int(bits)](std::size_t i) {
      return random_real<float>(181, permuted(std::uint32_t(i), b), 0, 1);
    });
  }
};

constexpr int axes = 4;

// For each axis of the result, outermost first: its size, and the stride between neighbours in the
// input.
struct axis_order {
  int size[axes], stride[axes];
};

struct transposed : pattern {
  axis_order order;
  std::size_t count;
  const float *in;
  float *out;

  // Transposes the axes [a][b][c][d] of the input to [c][a][d][b].
  static axis_order made(bool small) {
    const int a = small ? 6 : 48, b = small ? 10 : 80, c = small ? 7 : 56, d = small ? 12 : 96;
    return {{c, a, d, b}, {d, b * c * d, 1, c * d}};
  }
  BENCH_SHARED static int source(const axis_order &order, int i) {
    int from = 0;
    for (int k = axes - 1; k >= 0; k--) {
      from += i % order.size[k] * order.stride[k];
      i /= order.size[k];
    }
    return from;
  }
  template <class Device>
  transposed(Device &device, bool small)
      : order(made(small)), count(std::size_t(order.size[0]) * order.size[1] * order.size[2] * order.size[3]),
        in(device.template random<float>(count, 182, 0, 1)), out(device.template allocate<float>(count)) {
    bytes = 2.0 * sizeof(float) * count;
  }

  template <class Device> void reset(Device &device) const { device.poison(out, count); }

  template <class Device> bool correct(Device &device) const {
    return agrees(device, "transposed", out, count, 0,
                  [o = order](std::size_t i) { return random_real<float>(182, std::size_t(source(o, int(i))), 0, 1); });
  }
};

} // namespace gpu::patterns

#endif
