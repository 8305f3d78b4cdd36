// Matrices: steps of Gaussian elimination, and sparse matrix-vector products with an item or a
// sub-group per row.
#ifndef BENCHES_GPU_PATTERNS_MATRICES_HPP
#define BENCHES_GPU_PATTERNS_MATRICES_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr int elimination_block = 16, elimination_steps = 16;

struct elimination : pattern {
  std::size_t side;
  const float *in;
  float *a, *factors;

  // The diagonal elements are large.
  static float entry(std::size_t i, std::size_t side) {
    return random_real<float>(211, i, 0, 1) + (i % side == i / side ? float(elimination_steps) : 0);
  }
  template <class Device>
  elimination(Device &device, bool small)
      : side(sized(small, 4096, 128)),
        in(device.upload(filled(side * side, [n = side](std::size_t i) { return entry(i, n); }))),
        a(device.template allocate<float>(side * side)), factors(device.template allocate<float>(side)) {}

  template <class Device> void reset(Device &device) const { device.copy(a, in, side * side); }

  // The first rows, on which all others depend, and every 64th of the rest.
  template <class Device> bool correct(Device &device) const {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < side; row += row < elimination_steps ? 1 : 64)
      rows.push_back(row);
    std::vector<std::vector<double>> wanted;
    for (const std::size_t row : rows)
      wanted.push_back(filled(side, [row, n = side](std::size_t i) { return double(entry(row * n + i, n)); }));
    for (std::size_t k = 0; k < elimination_steps; k++)
      for (std::size_t r = 0; r < rows.size(); r++)
        if (rows[r] > k) {
          const double factor = wanted[r][k] / wanted[k][k];
          for (std::size_t i = k; i < side; i++)
            wanted[r][i] -= factor * wanted[k][i];
        }
    for (std::size_t r = 0; r < rows.size(); r++)
      if (!close("elimination", device.read(a + rows[r] * side, side), wanted[r], 1e-4, 1))
        return false;
    return true;
  }
};

enum class rows_for { items, sub_groups };

// Sparse rows of 1 to 31 values in f32, or 1 to 127 in f64.
template <class T, rows_for Whom> struct sparse : pattern {
  static constexpr std::uint32_t longest = Whom == rows_for::items ? 31 : 127;

  std::size_t rows;
  const int *first, *column;
  const T *value, *x;
  T *y;

  static std::vector<int> starts(std::size_t rows) {
    std::vector<int> all(rows + 1);
    for (std::size_t i = 0; i < rows; i++)
      all[i + 1] = all[i] + 1 + int(random_word(212, i) % longest);
    return all;
  }
  static int column_at(std::size_t i, std::size_t rows) { return int(random_word(213, i) % rows); }
  static T value_at(std::size_t i) { return random_real<T>(214, i, 0, 1); }
  static T x_at(std::size_t i) { return random_real<T>(215, i, 0, 1); }

  template <class Device>
  sparse(Device &device, bool small)
      : rows(sized(small, Whom == rows_for::items ? 1 << 20 : 1 << 18, 1 << 11)), first(device.upload(starts(rows))),
        column(device.upload(
            filled(std::size_t(starts(rows).back()), [n = rows](std::size_t i) { return column_at(i, n); }))),
        value(device.upload(filled(std::size_t(starts(rows).back()), value_at))), x(device.upload(filled(rows, x_at))),
        y(device.template allocate<T>(rows)) {}

  template <class Device> void reset(Device &device) const { device.poison(y, rows); }

  template <class Device> bool correct(Device &device) const {
    const std::vector<int> start = starts(rows);
    return agrees(device, "sparse", y, rows, 1e-5, [&](std::size_t row) {
      double sum = 0;
      for (int k = start[row]; k < start[row + 1]; k++)
        sum += double(value_at(std::size_t(k))) * x_at(std::size_t(column_at(std::size_t(k), rows)));
      return sum;
    });
  }
};

} // namespace gpu::patterns

#endif
