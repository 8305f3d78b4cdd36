// The tests of the specialisation suite: kernels whose shape is a value known only at run time.
//
// Sinter specialises the kernel on the value; the peer passes it as an argument.
#ifndef BENCHES_GPU_SPECIAL_HPP
#define BENCHES_GPU_SPECIAL_HPP

#include "compare.hpp"

namespace gpu::special {

constexpr std::size_t group_size = 256;
constexpr int polynomial_rounds = 8, switch_rounds = 32;

// Choices of a run. Volatile, so that no compiler knows them before the program runs.
struct choice {
  int order = 16, radius = 4, filter = 7, matrix = 6;
  int shape = 2, clamp = 1, damp = 0, drift = 1;
};
inline choice chosen() {
  static const volatile choice given;
  return {given.order, given.radius, given.filter, given.matrix, given.shape, given.clamp, given.damp, given.drift};
}

struct sizes {
  std::size_t polynomial, grid, image, matrices, switches;

  static sizes of(const options &wanted) {
    if (wanted.sizes != scale::gpu)
      return {1 << 16, 32, 128, 1 << 12, 1 << 16};
    return {std::size_t(1) << 27, 384, 8192, std::size_t(1) << 22, std::size_t(1) << 26};
  }
};

// One iteration of the kernel with switches, also its reference.
template <class T> BENCH_SHARED T switched(T x, int shape, int clamp, int damp, int drift) {
  if (shape == 0)
    x = x * x;
  else if (shape == 1)
    x = x * (T(1.5) - T(0.5) * x);
  else
    x = x * x * (T(1.2) - x);
  if (clamp)
    x = x < T(0) ? T(0) : x > T(1) ? T(1) : x;
  if (damp)
    x = x * T(0.9);
  if (drift)
    x = x + T(0.1);
  return x;
}

template <class Device, class Kernels> class suite {
public:
  suite(Device &on, Kernels &with, const sizes &wanted) : device(on), kernels(with), n(wanted), values(chosen()) {}

  std::vector<test> tests() {
    polynomial();
    star();
    filter();
    small_matrices();
    switches();
    return std::move(all);
  }

private:
  template <class L, class F>
  void add(const char *name, L launch, float *out, std::size_t count, double tolerance, F wanted, double bytes,
           double operations) {
    const auto poison = [&device = device, out, count] { device.poison(out, count); };
    const auto correct = [=, &device = device] { return agrees(device, name, out, count, tolerance, wanted); };
    all.push_back({name, launch, poison, correct, bytes, operations});
  }

  void polynomial() {
    const std::size_t count = n.polynomial;
    const int order = values.order;
    const float *factors = device.template random<float>(order + 1, 20, 0.01f, 0.05f);
    const float *in = device.template random<float>(count, 21, 0, 1);
    float *out = device.template allocate<float>(count);
    const auto wanted = [=](std::size_t i) {
      double x = random_real<float>(21, i, 0, 1);
      for (int round = 0; round < polynomial_rounds; round++) {
        double sum = 0;
        for (int k = order; k >= 0; k--)
          sum = sum * x + random_real<float>(20, k, 0.01f, 0.05f);
        x = sum;
      }
      return x;
    };
    const auto launch = [=, &k = kernels] { k.polynomial(factors, in, out, count, order); };
    add("polynomial", launch, out, count, 1e-5, wanted, 2.0 * sizeof(float) * count,
        double(polynomial_rounds) * (order + 1) * count);
  }

  // A star stencil along the three axes, with `radius` points in each direction.
  void star() {
    const std::size_t side = n.grid, count = side * side * side;
    const int radius = values.radius;
    const float *weights = device.template random<float>(radius + 1, 22, 0.01f, 0.05f);
    const float *in = device.template random<float>(count, 23, 0, 1);
    float *out = device.template allocate<float>(count);
    const auto wanted = [=](std::size_t i) { return star_at(i, side, radius); };
    const auto launch = [=, &k = kernels] { k.star(weights, in, out, side, radius); };
    add("star_stencil", launch, out, count, 1e-5, wanted, 2.0 * sizeof(float) * count, (6.0 * radius + 1) * count);
  }
  static double star_at(std::size_t i, std::size_t side, int radius) {
    const auto cell = [](std::size_t k) { return double(random_real<float>(23, k, 0, 1)); };
    const auto weight = [](std::size_t k) { return double(random_real<float>(22, k, 0.01f, 0.05f)); };
    const std::size_t margin = radius, plane = side * side;
    for (const std::size_t at : {i % side, i / side % side, i / plane})
      if (at < margin || at + margin >= side)
        return cell(i);
    double sum = weight(0) * cell(i);
    for (std::size_t r = 1; r <= margin; r++)
      sum += weight(r) * (cell(i - r) + cell(i + r) + cell(i - r * side) + cell(i + r * side) + cell(i - r * plane) +
                          cell(i + r * plane));
    return sum;
  }

  // A square filter; the image is larger by the filter's size minus one.
  void filter() {
    const std::size_t side = n.image, stride = side + values.filter - 1;
    const int size = values.filter;
    const float *weights = device.template random<float>(size * size, 24, 0.01f, 0.02f);
    const float *in = device.template random<float>(stride * stride, 25, 0, 1);
    float *out = device.template allocate<float>(side * side);
    const auto wanted = [=](std::size_t i) {
      double sum = 0;
      for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
          sum += double(random_real<float>(24, y * size + x, 0.01f, 0.02f)) *
                 random_real<float>(25, (i / side + y) * stride + i % side + x, 0, 1);
      return sum;
    };
    const auto launch = [=, &k = kernels] { k.filter(weights, in, out, side, size); };
    add("filter", launch, out, side * side, 1e-5, wanted, 2.0 * sizeof(float) * side * side,
        double(size) * size * side * side);
  }

  // Products of many small square matrices; a work-item computes one element.
  void small_matrices() {
    const std::size_t size = values.matrix, count = n.matrices * size * size;
    const float *a = device.template random<float>(count, 26, 0, 1),
                *b = device.template random<float>(count, 27, 0, 1);
    float *c = device.template allocate<float>(count);
    const auto wanted = [=](std::size_t i) {
      const std::size_t first = i / (size * size) * size * size, row = i / size % size, column = i % size;
      double sum = 0;
      for (std::size_t k = 0; k < size; k++)
        sum += double(random_real<float>(26, first + row * size + k, 0, 1)) *
               random_real<float>(27, first + k * size + column, 0, 1);
      return sum;
    };
    const auto launch = [=, &k = kernels] { k.small_matrices(a, b, c, count, int(size)); };
    add("small_matrices", launch, c, count, 1e-5, wanted, 3.0 * sizeof(float) * count, double(size) * count);
  }

  void switches() {
    const std::size_t count = n.switches;
    const float *in = device.template random<float>(count, 28, 0, 1);
    float *out = device.template allocate<float>(count);
    const auto wanted = [v = values](std::size_t i) {
      double x = random_real<float>(28, i, 0, 1);
      for (int round = 0; round < switch_rounds; round++)
        x = switched<double>(x, v.shape, v.clamp, v.damp, v.drift);
      return x;
    };
    const auto launch = [=, v = values, &k = kernels] { k.switches(in, out, count, v); };
    add("switches", launch, out, count, 1e-4, wanted, 2.0 * sizeof(float) * count, 5.0 * switch_rounds * count);
  }

  Device &device;
  Kernels &kernels;
  sizes n;
  choice values;
  std::vector<test> all;
};

} // namespace gpu::special

#endif
