// Peer of cpu/groups.cpp: the same results in OpenMP C++, in the usual style for a CPU, in the same
// kind of memory.
#include "groups.hpp"
#include "huge_pages.hpp"

namespace {

using namespace groups;

class kernels {
public:
  kernels()
      : a(matrix * matrix), b(matrix * matrix), c(matrix * matrix), from(bodies), to(bodies), data(values),
        counted(bins), x(bench::allocate<double>(vector)), y(bench::allocate<double>(vector)),
        terms(bench::allocate<float>(numbers)), added(numbers / summed), scanned(bench::allocate<float>(numbers)),
        elements(matrices * most_order * most_order), factors(matrices) {
    for (std::size_t i = 0; i < matrix * matrix; i++) {
      a[i] = factor(i);
      b[i] = factor(i + matrix * matrix);
    }
    for (std::size_t i = 0; i < bodies; i++)
      from[i] = place(i);
    for (std::size_t i = 0; i < values; i++)
      data[i] = value(i);
#pragma omp parallel for
    for (std::size_t i = 0; i < vector; i++) {
      x[i] = element(i);
      y[i] = element(i + 1);
    }
    for (std::size_t i = 0; i < elements.size(); i++)
      elements[i] = entry(i / (most_order * most_order), i / most_order % most_order, i % most_order);
#pragma omp parallel for
    for (std::size_t i = 0; i < numbers; i++) {
      terms[i] = number(i);
      scanned[i] = 0;
    }
  }

  void matmul() {
#pragma omp parallel for
    for (std::size_t row = 0; row < matrix; row++) {
      float *out = &c[row * matrix];
      for (std::size_t column = 0; column < matrix; column++)
        out[column] = 0;
      for (std::size_t k = 0; k < matrix; k++) {
        const float left = a[row * matrix + k];
        const float *right = &b[k * matrix];
#pragma omp simd
        for (std::size_t column = 0; column < matrix; column++)
          out[column] += left * right[column];
      }
    }
  }

  void nbody() {
#pragma omp parallel for
    for (std::size_t i = 0; i < bodies; i++) {
      const body self = from[i];
      float fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
      for (std::size_t k = 0; k < bodies; k++) {
        const float dx = from[k].x - self.x, dy = from[k].y - self.y, dz = from[k].z - self.z;
        const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
        const float pull = from[k].mass * inverse * inverse * inverse;
        fx += dx * pull;
        fy += dy * pull;
        fz += dz * pull;
      }
      to[i] = {fx, fy, fz, 0};
    }
  }

  void histogram() {
    std::fill(counted.begin(), counted.end(), 0u);
    const unsigned char *in = data.data();
    std::uint32_t *out = counted.data();
#pragma omp parallel for
    for (std::size_t i = 0; i < values; i++) {
#pragma omp atomic
      out[in[i]]++;
    }
  }

  void dot() {
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (std::size_t i = 0; i < vector; i++)
      sum += x[i] * y[i];
    total = sum;
  }

  void sums() {
#pragma omp parallel for
    for (std::size_t group = 0; group < numbers / summed; group++) {
      const float *in = terms + group * summed;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t i = 0; i < summed; i++)
        sum += in[i];
      added[group] = sum;
    }
  }

  void scans() {
#pragma omp parallel for
    for (std::size_t group = 0; group < numbers / summed; group++) {
      float sum = 0;
      for (std::size_t i = group * summed; i < (group + 1) * summed; i++)
        scanned[i] = sum += terms[i];
    }
  }

  void determinants() {
    const std::size_t order = this->order;
#pragma omp parallel for
    for (std::size_t i = 0; i < matrices; i++) {
      float m[most_order][most_order];
      const float *in = &elements[i * most_order * most_order];
      for (std::size_t y = 0; y < order; y++)
        for (std::size_t x = 0; x < order; x++)
          m[y][x] = in[y * most_order + x];
      factors[i] = determinant(m, order, determinant_scale);
    }
  }

  const std::vector<float> &product() const { return c; }
  const std::vector<body> &force() const { return to; }
  const std::vector<std::uint32_t> &counts() const { return counted; }
  double sum() const { return total; }
  const std::vector<float> &group_sums() const { return added; }
  std::vector<float> group_scans() const { return {scanned, scanned + numbers}; }
  const std::vector<float> &all_determinants() const { return factors; }

private:
  std::vector<float> a, b, c;
  std::vector<body> from, to;
  std::vector<unsigned char> data;
  std::vector<std::uint32_t> counted;
  double *x, *y;
  double total = 0;
  float *terms;
  std::vector<float> added;
  float *scanned;
  std::vector<float> elements, factors;
  volatile std::size_t order = most_order;
};

} // namespace

int main(int argc, char **argv) { return groups::measure<kernels>(argc, argv); }
