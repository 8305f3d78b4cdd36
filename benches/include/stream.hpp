// Order, timing and check of the four stream kernels, shared by the two programs, which differ in
// the launch of a kernel.
//
// One round is: c = a; b = s c; c = a + b; a = b + s c. That multiplies `a` by 2s + s^2, which is 1
// for s = sqrt(2) - 1, so that values neither grow nor vanish over any number of rounds. Elements
// have a prime period, so that an element written to the wrong position is detected.
#ifndef BENCHES_STREAM_HPP
#define BENCHES_STREAM_HPP

#include "report.hpp"

#include <cmath>

namespace stream {

constexpr double scalar = 0.41421356237309504880;
constexpr std::size_t period = 1021;

inline double initial_a(std::size_t i) { return 1.0 + static_cast<double>(i % period) / period; }

struct options {
  std::size_t elements;
  std::size_t repetitions;
};

inline options parse(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s ELEMENTS REPETITIONS\n", argv[0]);
    std::exit(2);
  }
  return {bench::positive(argv[1], "ELEMENTS"), bench::positive(argv[2], "REPETITIONS")};
}

// Seconds of each repetition. The first round is not timed: it includes translation and the start
// of threads.
struct times {
  std::vector<double> copy, mul, add, triad;
};

template <class Kernels> times measure(Kernels &kernels, std::size_t repetitions) {
  times result;
  for (std::size_t i = 0; i <= repetitions; i++) {
    const double copy = bench::seconds([&] { kernels.copy(); });
    const double mul = bench::seconds([&] { kernels.mul(); });
    const double add = bench::seconds([&] { kernels.add(); });
    const double triad = bench::seconds([&] { kernels.triad(); });
    if (i == 0)
      continue;
    result.copy.push_back(copy);
    result.mul.push_back(mul);
    result.add.push_back(add);
    result.triad.push_back(triad);
  }
  return result;
}

// Expected contents of the arrays after `rounds` rounds, for one period.
struct expected {
  std::vector<double> a, b, c;

  explicit expected(std::size_t rounds) : a(period), b(period), c(period) {
    for (std::size_t i = 0; i < period; i++) {
      a[i] = initial_a(i);
      for (std::size_t round = 0; round < rounds; round++) {
        b[i] = scalar * a[i];
        c[i] = a[i] + b[i];
        a[i] = b[i] + scalar * c[i];
      }
    }
  }
};

// Compares elements `first`, `first` + 1, ... The tolerance covers fused and separate multiply and
// add.
inline bool agrees(const double *values, std::size_t first, std::size_t count, const std::vector<double> &wanted) {
  for (std::size_t i = 0; i < count; i++) {
    const double want = wanted[(first + i) % period];
    if (!(std::fabs(values[i] - want) <= 1e-10 * want)) {
      std::fprintf(stderr, "element %zu is %.17g, expected %.17g\n", first + i, values[i], want);
      return false;
    }
  }
  return true;
}

inline int report(const times &measured, bool verified) {
  bench::emit("copy", "s", measured.copy, verified);
  bench::emit("mul", "s", measured.mul, verified);
  bench::emit("add", "s", measured.add, verified);
  bench::emit("triad", "s", measured.triad, verified);
  return verified ? 0 : 1;
}

} // namespace stream

#endif
