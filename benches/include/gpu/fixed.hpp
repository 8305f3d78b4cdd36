// The tests of the fixed suite and their references: inputs, expected outputs, and minimum traffic
// and arithmetic of each kernel.
//
// Both sides have the same algorithm, tiles, work per thread and functions. `Kernels` has one
// function per test. A peer with `has_library` has `sum_library` too, and the harness takes the
// faster of the two sums.
#ifndef BENCHES_GPU_FIXED_HPP
#define BENCHES_GPU_FIXED_HPP

#include "compare.hpp"

namespace gpu::fixed {

constexpr std::size_t group_size = 256;
// Work-groups of the kernels that stride over their input: 8 of 256 work-items on each of 132
// multiprocessors.
constexpr std::size_t striding_groups = 1056;

struct alignas(16) body {
  float x, y, z, mass;
};
constexpr float softening = 0.01f;

constexpr float near_weight = 0.4f, face_weight = 0.1f;
// Weights of the 27 points, by the number of dimensions in which they differ from the centre.
constexpr float cube_weights[4] = {0.3f, 0.06f, 0.02f, 0.01f};

constexpr unsigned bins = 256;

constexpr float rate = 0.02f, volatility = 0.3f;

constexpr double view_left = -2.0, view_top = -1.5, view_size = 3.0;
constexpr int iteration_limit = 1000;

// Grid blocks: x is the fastest dimension.
constexpr std::size_t block_x = 32, block_y = 4, block_z = 2;

struct sizes {
  std::size_t matrix, bodies, grid, sum, bytes, contracts, image;

  static sizes of(const options &chosen) {
    if (chosen.sizes == scale::cpu)
      return {512, 4096, 128, std::size_t(1) << 24, std::size_t(1) << 22, std::size_t(1) << 20, 512};
    if (chosen.sizes == scale::quick)
      return {128, 1024, 32, 1 << 18, 1 << 18, 1 << 16, 128};
    return {4096, 1 << 16, 512, std::size_t(1) << 28, std::size_t(1) << 28, std::size_t(1) << 26, 4096};
  }
};

template <class Device, class Kernels> class suite {
public:
  suite(Device &on, Kernels &with, const sizes &chosen) : device(on), kernels(with), n(chosen) {}

  std::vector<test> tests() {
    matmul();
    nbody();
    stencil();
    sum();
    histogram();
    black_scholes();
    mandelbrot();
    return std::move(all);
  }

private:
  static float factor(std::size_t i) { return random_real<float>(1, i, 0, 1); }
  static float other_factor(std::size_t i) { return random_real<float>(2, i, 0, 1); }

  template <class L, class T, class C>
  void add(const char *name, L launch, T *output, std::size_t count, C correct, double bytes, double operations) {
    const auto poison = [&device = device, output, count] { device.poison(output, count); };
    all.push_back({name, launch, poison, correct, bytes, operations, timing::batch, {}});
  }

  // Fused multiply-adds of one launch: n^3.
  void matmul() {
    const std::size_t size = n.matrix;
    float *a = device.template random<float>(size * size, 1, 0, 1),
          *b = device.template random<float>(size * size, 2, 0, 1);
    float *c = device.template allocate<float>(size * size);
    const double bytes = 3.0 * sizeof(float) * size * size, operations = 1.0 * size * size * size;
    const auto correct = [=, &device = device] { return product_is_right(device, c, size); };
    add(
        "matmul16", [=, &k = kernels] { k.template matmul<16>(a, b, c, size); }, c, size * size, correct, bytes,
        operations);
    add(
        "matmul32", [=, &k = kernels] { k.template matmul<32>(a, b, c, size); }, c, size * size, correct, bytes,
        operations);
    add("matmul16_2d", [=, &k = kernels] { k.matmul_2d(a, b, c, size); }, c, size * size, correct, bytes, operations);
  }
  static bool product_is_right(Device &device, const float *c, std::size_t size) {
    if (!written(device, "matmul", c, size * size))
      return false;
    for (std::uint32_t sample = 0; sample < 256; sample++) {
      const std::size_t row = random_word(3, sample) % size, column = random_word(4, sample) % size;
      double wanted = 0;
      for (std::size_t k = 0; k < size; k++)
        wanted += double(factor(row * size + k)) * other_factor(k * size + column);
      if (!near("matmul", row * size + column, device.read(c + row * size + column, 1)[0], wanted, wanted, 1e-5))
        return false;
    }
    return true;
  }

  // Instructions of one interaction: three subtractions, three fused multiply-adds for the
  // distance, a reciprocal square root, three multiplications and three fused multiply-adds for the
  // force. The root runs on another unit at a quarter of the rate or less.
  void nbody() {
    const std::size_t count = n.bodies;
    const float *places = device.template random<float>(4 * count, 5, -1, 1);
    const body *from = reinterpret_cast<const body *>(places);
    body *to = device.template allocate<body>(count);
    const double bytes = 2.0 * sizeof(body) * count, operations = 12.0 * count * count;
    const auto correct = [=, &device = device] { return forces_are_right(device, to, count); };
    add("nbody", [=, &k = kernels] { k.nbody(from, to, count); }, to, count, correct, bytes, operations);
    add("nbody_tiled", [=, &k = kernels] { k.nbody_tiled(from, to, count); }, to, count, correct, bytes, operations);
  }
  static body place(std::size_t i) {
    const auto at = [](std::size_t k) { return random_real<float>(5, k, -1, 1); };
    return {at(4 * i), at(4 * i + 1), at(4 * i + 2), at(4 * i + 3)};
  }
  static bool forces_are_right(Device &device, const body *to, std::size_t count) {
    if (!written(device, "nbody", to, count))
      return false;
    for (std::uint32_t sample = 0; sample < 16; sample++) {
      const std::size_t i = random_word(6, sample) % count;
      const body found = device.read(to + i, 1)[0], self = place(i);
      double x = 0, y = 0, z = 0, scale = 0;
      for (std::size_t j = 0; j < count; j++) {
        const body other = place(j);
        const double dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
        const double inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
        const double pull = other.mass * inverse * inverse * inverse;
        x += dx * pull, y += dy * pull, z += dz * pull;
        scale += std::fabs(pull);
      }
      if (!near("nbody x", i, found.x, x, scale, 1e-5) || !near("nbody y", i, found.y, y, scale, 1e-5) ||
          !near("nbody z", i, found.z, z, scale, 1e-5))
        return false;
    }
    return true;
  }

  void stencil() {
    const std::size_t side = n.grid, count = side * side * side;
    float *in = device.template random<float>(count, 7, 0, 1), *out = device.template allocate<float>(count);
    const double bytes = 2.0 * sizeof(float) * count;
    const auto faces = [=, &device = device] {
      return agrees(device, "stencil7", out, count, 1e-5, [=](std::size_t i) { return faces_at(i, side); });
    };
    const auto cube = [=, &device = device] {
      return agrees(device, "stencil27", out, count, 1e-5, [=](std::size_t i) { return cube_at(i, side); });
    };
    add("stencil7", [=, &k = kernels] { k.stencil7(in, out, side); }, out, count, faces, bytes, 0);
    add("stencil7_range", [=, &k = kernels] { k.stencil7_range(in, out, side); }, out, count, faces, bytes, 0);
    all.back().group = [=, &k = kernels] { return k.stencil7_chosen(in, out, side); };
    add("stencil27", [=, &k = kernels] { k.stencil27(in, out, side); }, out, count, cube, bytes, 0);
  }
  static double cell(std::size_t i) { return random_real<float>(7, i, 0, 1); }
  static bool inside(std::size_t i, std::size_t side) {
    const auto inner = [=](std::size_t k) { return k > 0 && k + 1 < side; };
    return inner(i % side) && inner(i / side % side) && inner(i / side / side);
  }
  static double faces_at(std::size_t i, std::size_t side) {
    if (!inside(i, side))
      return cell(i);
    const std::size_t plane = side * side;
    return near_weight * cell(i) + face_weight * (cell(i - 1) + cell(i + 1) + cell(i - side) + cell(i + side) +
                                                  cell(i - plane) + cell(i + plane));
  }
  static double cube_at(std::size_t i, std::size_t side) {
    if (!inside(i, side))
      return cell(i);
    double sum = 0;
    for (int z = -1; z <= 1; z++)
      for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
          const long long offset = (z * static_cast<long long>(side) + y) * static_cast<long long>(side) + x;
          sum += cube_weights[z * z + y * y + x * x] * cell(i + static_cast<std::size_t>(offset));
        }
    return sum;
  }

  void sum() {
    const std::size_t count = n.sum;
    const float *in = device.template random<float>(count, 8, 0, 1);
    float *total = device.template allocate<float>(1);
    const auto correct = [=, &device = device] {
      double wanted = 0;
      for (std::size_t i = 0; i < count; i++)
        wanted += random_real<float>(8, i, 0, 1);
      return near("sum", 0, device.read(total, 1)[0], wanted, wanted, 1e-5);
    };
    const double bytes = 1.0 * sizeof(float) * count;
    add("sum", [=, &k = kernels] { k.sum(in, total, count); }, total, 1, correct, bytes, 0);
    if constexpr (Kernels::has_library)
      add("sum_library", [=, &k = kernels] { k.sum_library(in, total, count); }, total, 1, correct, bytes, 0);
    add("sum_tree", [=, &k = kernels] { k.sum_tree(in, total, count); }, total, 1, correct, bytes, 0);
  }

  // The input as vectors of four words.
  void histogram() {
    const std::size_t words = n.bytes / 4;
    const std::uint32_t *in = device.random_words(words, 9);
    std::uint32_t *counted = device.template allocate<std::uint32_t>(bins);
    const auto correct = [=, &device = device] {
      std::vector<std::uint32_t> wanted(bins);
      for (std::size_t i = 0; i < words; i++)
        for (std::uint32_t word = random_word(9, i), k = 0; k < 4; k++, word >>= 8)
          wanted[word & 255]++;
      return device.read(counted, bins) == wanted;
    };
    const auto launch = [=, &k = kernels] { k.histogram(in, counted, words); };
    add("histogram", launch, counted, bins, correct, double(n.bytes), 0);
  }

  void black_scholes() {
    const std::size_t count = n.contracts;
    const float *price = device.template random<float>(count, 10, 5, 30);
    const float *strike = device.template random<float>(count, 11, 1, 100);
    const float *years = device.template random<float>(count, 12, 0.25f, 10);
    float *call = device.template allocate<float>(2 * count), *put = call + count;
    const auto correct = [=, &device = device] {
      const auto wanted = [=](std::size_t i) { return i < count ? call_at(i) : put_at(i - count); };
      return written(device, "black_scholes", call, 2 * count) && options_are_right(device, call, 2 * count, wanted);
    };
    const auto launch = [=, &k = kernels] { k.black_scholes(price, strike, years, call, put, count); };
    add("black_scholes", launch, call, 2 * count, correct, 5.0 * sizeof(float) * count, 0);
  }
  template <class F>
  static bool options_are_right(Device &device, const float *values, std::size_t count, const F &wanted) {
    const std::size_t step = count / windows;
    for (std::size_t w = 0; w < windows; w++) {
      const std::vector<float> part = device.read(values + w * step, window);
      for (std::size_t i = 0; i < window; i++)
        if (!near("black_scholes", w * step + i, part[i], wanted(w * step + i), 100, 2e-6))
          return false;
    }
    return true;
  }
  static double normal(double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); }
  static double call_at(std::size_t i) {
    const double s = random_real<float>(10, i, 5, 30), x = random_real<float>(11, i, 1, 100);
    const double t = random_real<float>(12, i, 0.25f, 10), v = volatility, r = rate;
    const double d1 = (std::log(s / x) + (r + 0.5 * v * v) * t) / (v * std::sqrt(t));
    return s * normal(d1) - x * std::exp(-r * t) * normal(d1 - v * std::sqrt(t));
  }
  // Depends on the parity of puts and calls.
  static double put_at(std::size_t i) {
    const double s = random_real<float>(10, i, 5, 30), x = random_real<float>(11, i, 1, 100);
    const double t = random_real<float>(12, i, 0.25f, 10);
    return call_at(i) - s + x * std::exp(-rate * t);
  }

  // Seven instructions per iteration; the reference counts the iterations of every eighth pixel of
  // every eighth row.
  void mandelbrot() {
    picture<float>("mandelbrot_f32", n.image);
    picture<double>("mandelbrot_f64", n.image / 2);
  }
  template <class T> void picture(const char *name, std::size_t side) {
    int *out = device.template allocate<int>(side * side);
    double iterations = 0;
    for (std::size_t y = 0; y < side; y += 8)
      for (std::size_t x = 0; x < side; x += 8)
        iterations += 64.0 * escape<T>(x, y, side);
    const auto correct = [=, &device = device] { return picture_is_right<T>(device, name, out, side); };
    const auto launch = [=, &k = kernels] { k.template mandelbrot<T>(out, side); };
    add(name, launch, out, side * side, correct, double(sizeof(int) * side * side), 7 * iterations);
  }
  template <class T> static int escape(std::size_t x, std::size_t y, std::size_t side) {
    const T step = T(view_size) / T(side);
    const T real = T(view_left) + T(x) * step, imaginary = T(view_top) + T(y) * step;
    T a = 0, b = 0;
    int count = 0;
    while (count < iteration_limit && a * a + b * b < T(4)) {
      const T next = a * a - b * b + real;
      b = 2 * a * b + imaginary;
      a = next;
      count++;
    }
    return count;
  }
  // Fused operations may change the count for points near the border of the set, for a few in a
  // thousand.
  template <class T> static bool picture_is_right(Device &device, const char *name, const int *out, std::size_t side) {
    if (!written(device, name, out, side * side))
      return false;
    std::size_t differing = 0, compared = 0;
    for (std::size_t y = 0; y < side; y += 16) {
      const std::vector<int> row = device.read(out + y * side, side);
      for (std::size_t x = 0; x < side; x += 16, compared++)
        differing += row[x] != escape<T>(x, y, side);
    }
    if (differing * 50 > compared)
      std::fprintf(stderr, "%s: %zu of %zu compared points differ\n", name, differing, compared);
    return differing * 50 <= compared;
  }

  Device &device;
  Kernels &kernels;
  sizes n;
  std::vector<test> all;
};

} // namespace gpu::fixed

#endif
