// Work, timing and check of the kernels with work-groups, shared by the two programs, which differ
// in the launch of a kernel.
//
// Data are small integers where sums must be exact in any order, so that a wrong element differs
// from a rounded one.
#ifndef BENCHES_GROUPS_HPP
#define BENCHES_GROUPS_HPP

#include "report.hpp"

#include <cmath>
#include <cstdint>

namespace groups {

constexpr std::size_t matrix = 512, tile = 16;
constexpr std::size_t bodies = 4096;
constexpr std::size_t values = std::size_t(1) << 22, bins = 256;
constexpr std::size_t vector = std::size_t(1) << 25;
// Numbers that are added up in groups.
constexpr std::size_t numbers = std::size_t(1) << 24, summed = 256;
constexpr float softening = 1e-3f;
// Square matrices, whose order is known at run time only.
constexpr std::size_t matrices = std::size_t(1) << 16, most_order = 8;

inline std::uint32_t noise(std::size_t index) {
  std::uint32_t value = static_cast<std::uint32_t>(index) * 2654435761u + 12345u;
  value ^= value >> 15;
  value *= 2246822519u;
  return value ^ (value >> 13);
}

inline float factor(std::size_t index) { return static_cast<float>(noise(index) % 17) - 8; }
inline float coordinate(std::size_t index) { return static_cast<float>(noise(index) % 10007) / 10007 - 0.5f; }
inline unsigned char value(std::size_t index) { return static_cast<unsigned char>(noise(index)); }
inline double element(std::size_t index) { return static_cast<double>(noise(index) % 9); }
inline float number(std::size_t index) { return static_cast<float>(noise(index) % 15) - 7; }

// Element of a matrix, with the largest ones on the diagonal.
inline float entry(std::size_t index, std::size_t y, std::size_t x) {
  return static_cast<float>(noise(index * most_order * most_order + y * most_order + x) % 101) / 101 + (x == y ? 8 : 0);
}

// The determinant of `m`, which is overwritten, over `scale` to the power of the order.
template <class T> T determinant(T (*m)[most_order], std::size_t order, T scale) {
  T result = 1;
  for (std::size_t k = 0; k < order; k++) {
    result *= m[k][k] * scale;
    for (std::size_t y = k + 1; y < order; y++) {
      const T part = m[y][k] / m[k][k];
      for (std::size_t x = k; x < order; x++)
        m[y][x] -= part * m[k][x];
    }
  }
  return result;
}
constexpr float determinant_scale = 0.125f;

// Position and mass of a body; force on one.
struct body {
  float x, y, z, mass;
};

inline body place(std::size_t i) {
  return {coordinate(3 * i), coordinate(3 * i + 1), coordinate(3 * i + 2), 1.0f / bodies};
}

inline bool agrees_matmul(const std::vector<float> &found) {
  for (std::size_t row = 0; row < matrix; row += 37)
    for (std::size_t column = 0; column < matrix; column++) {
      float sum = 0;
      for (std::size_t k = 0; k < matrix; k++)
        sum += factor(row * matrix + k) * factor((k + matrix) * matrix + column);
      if (found[row * matrix + column] != sum) {
        std::fprintf(stderr, "matmul: row %zu, column %zu is %g, expected %g\n", row, column,
                     double(found[row * matrix + column]), double(sum));
        return false;
      }
    }
  return true;
}

inline bool agrees_nbody(const std::vector<body> &force) {
  for (std::size_t i = 0; i < bodies; i += 61) {
    double sum[3] = {0, 0, 0};
    const body self = place(i);
    for (std::size_t k = 0; k < bodies; k++) {
      const body other = place(k);
      const double d[3] = {double(other.x) - self.x, double(other.y) - self.y, double(other.z) - self.z};
      const double distance = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening;
      for (int axis = 0; axis < 3; axis++)
        sum[axis] += d[axis] * other.mass / (distance * std::sqrt(distance));
    }
    const double found[3] = {force[i].x, force[i].y, force[i].z};
    for (int axis = 0; axis < 3; axis++)
      if (!(std::fabs(found[axis] - sum[axis]) <= 1e-4 * (1 + std::fabs(sum[axis])))) {
        std::fprintf(stderr, "nbody: force on body %zu is %g, expected %g\n", i, found[axis], sum[axis]);
        return false;
      }
  }
  return true;
}

inline bool agrees_histogram(const std::vector<std::uint32_t> &found) {
  std::vector<std::uint32_t> wanted(bins, 0);
  for (std::size_t i = 0; i < values; i++)
    wanted[value(i)]++;
  if (found != wanted)
    std::fprintf(stderr, "histogram: wrong counts\n");
  return found == wanted;
}

// The sum of all terms is an integer below 2^53, so that every order of additions gives the same.
inline bool agrees_dot(double found) {
  double wanted = 0;
  for (std::size_t i = 0; i < vector; i++)
    wanted += element(i) * element(i + 1);
  if (found != wanted)
    std::fprintf(stderr, "dot is %.17g, expected %.17g\n", found, wanted);
  return found == wanted;
}

inline bool agrees_sums(const std::vector<float> &found) {
  for (std::size_t group = 0; group < numbers / summed; group += 13) {
    float wanted = 0;
    for (std::size_t i = 0; i < summed; i++)
      wanted += number(group * summed + i);
    if (found[group] != wanted) {
      std::fprintf(stderr, "sums: group %zu is %g, expected %g\n", group, double(found[group]), double(wanted));
      return false;
    }
  }
  return true;
}

inline bool agrees_scans(const std::vector<float> &found) {
  for (std::size_t group = 0; group < numbers / summed; group += 13) {
    float wanted = 0;
    for (std::size_t i = group * summed; i < (group + 1) * summed; i++) {
      wanted += number(i);
      if (found[i] != wanted) {
        std::fprintf(stderr, "scans: number %zu is %g, expected %g\n", i, double(found[i]), double(wanted));
        return false;
      }
    }
  }
  return true;
}

inline bool agrees_determinants(const std::vector<float> &found) {
  for (std::size_t i = 0; i < matrices; i += 97) {
    double m[most_order][most_order];
    for (std::size_t y = 0; y < most_order; y++)
      for (std::size_t x = 0; x < most_order; x++)
        m[y][x] = entry(i, y, x);
    const double wanted = determinant(m, most_order, double(determinant_scale));
    if (!(std::fabs(found[i] - wanted) <= 1e-4 * std::fabs(wanted))) {
      std::fprintf(stderr, "determinants: %zu is %g, expected %g\n", i, double(found[i]), wanted);
      return false;
    }
  }
  return true;
}

// Seconds of each repetition of `kernel`. The first run is not timed: it includes translation and
// the start of threads.
template <class F> std::vector<double> times(std::size_t repetitions, const F &kernel) {
  std::vector<double> result;
  for (std::size_t i = 0; i <= repetitions; i++) {
    const double taken = bench::seconds(kernel);
    if (i != 0)
      result.push_back(taken);
  }
  return result;
}

inline std::size_t repetitions(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s REPETITIONS\n", argv[0]);
    std::exit(2);
  }
  return bench::positive(argv[1], "REPETITIONS");
}

template <class Kernels> bool measure_nbody(Kernels &kernels, std::size_t repetitions) {
  const std::vector<double> taken = times(repetitions, [&] { kernels.nbody(); });
  const bool good = agrees_nbody(kernels.force());
  bench::emit("nbody", "s", taken, good);
  return good;
}

template <class Kernels> int measure(int argc, char **argv) {
  const std::size_t repetitions = groups::repetitions(argc, argv);
  Kernels kernels;
  const std::vector<double> matmul = times(repetitions, [&] { kernels.matmul(); });
  const bool nbody = measure_nbody(kernels, repetitions);
  const std::vector<double> histogram = times(repetitions, [&] { kernels.histogram(); });
  const std::vector<double> dot = times(repetitions, [&] { kernels.dot(); });
  const std::vector<double> sums = times(repetitions, [&] { kernels.sums(); });
  const std::vector<double> scans = times(repetitions, [&] { kernels.scans(); });
  const std::vector<double> determinants = times(repetitions, [&] { kernels.determinants(); });
  const bool good[6] = {agrees_matmul(kernels.product()),    agrees_histogram(kernels.counts()),
                        agrees_dot(kernels.sum()),           agrees_sums(kernels.group_sums()),
                        agrees_scans(kernels.group_scans()), agrees_determinants(kernels.all_determinants())};
  bench::emit("matmul", "s", matmul, good[0]);
  bench::emit("histogram", "s", histogram, good[1]);
  bench::emit("dot", "s", dot, good[2]);
  bench::emit("sums", "s", sums, good[3]);
  bench::emit("scans", "s", scans, good[4]);
  bench::emit("determinants", "s", determinants, good[5]);
  return good[0] && nbody && good[1] && good[2] && good[3] && good[4] && good[5] ? 0 : 1;
}

} // namespace groups

#endif
