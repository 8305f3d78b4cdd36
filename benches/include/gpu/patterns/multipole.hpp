// Cross sections by the windowed multipole method: random energies, tables of poles, complex
// arithmetic in f64.
//
// An energy belongs to a window of a nuclide, which has a polynomial and some poles; a pole
// contributes its residues times the Faddeeva function, which broadens a resonance by temperature.
#ifndef BENCHES_GPU_PATTERNS_MULTIPOLE_HPP
#define BENCHES_GPU_PATTERNS_MULTIPOLE_HPP

#include "pattern.hpp"

namespace gpu::patterns {

struct complex {
  double re, im;
};
BENCH_SHARED complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
BENCH_SHARED complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
BENCH_SHARED complex operator*(complex a, complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
BENCH_SHARED complex operator*(double a, complex b) { return {a * b.re, a * b.im}; }
BENCH_SHARED complex operator/(complex a, complex b) {
  const double scale = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / scale, (a.im * b.re - a.re * b.im) / scale};
}
// exp(i x) for a complex x.
BENCH_SHARED complex turn(complex x) {
  const double size = math::exp(-x.im);
  return {size * math::cos(x.re), size * math::sin(x.re)};
}

// exp(-z^2) erfc(-iz) in the upper half-plane: far from 0 a rational function of two terms, near 0
// the Fourier series of Abrarov and Quine (2011) with period 12, truncated after 10 terms.
BENCH_SHARED complex faddeeva(complex z) {
  const complex i = {0, 1}, square = z * z;
  if (z.re * z.re + z.im * z.im >= 36)
    return (i * z) * (complex{0.5124242247547684, 0} / (square - complex{0.2752551286084109, 0}) +
                      complex{0.05176535879298782, 0} / (square - complex{2.724744871391589, 0}));
  constexpr double period = 12, pi = 3.14159265358979323846, root_of_pi = 1.77245385090551602730;
  constexpr double factors[10] = {0.27584023329217705,  0.22457395522461585, 0.1594149382739117,  0.09866576641545419,
                                  0.05324414078763941,  0.02505215000539365, 0.01027746567053954, 0.003676164332844847,
                                  0.001146493641242233, 0.000311757015046198};
  const complex wave = turn(period * z), one = {1, 0};
  complex sum = {0, 0};
  double sign = -1;
  for (int n = 1; n <= 10; n++, sign = -sign)
    sum = sum + factors[n - 1] * ((sign * wave - one) / (complex{n * n * pi * pi, 0} - period * period * square));
  return (i * (one - wave)) / (period * z) + (period * period / root_of_pi) * (i * z) * sum;
}

struct pole {
  complex place, total, absorbed;
};
struct window_of_poles {
  double total[3], absorbed[3];
  int first, last;
};
struct cross_sections {
  double total, absorbed;
};

constexpr int nuclides = 64, windows_per_nuclide = 100, poles_per_window = 6;
constexpr double doppler = 40;

// Advances a linear congruential generator with 64-bit state; returns a number in [0, 1).
BENCH_SHARED double drawn(std::uint64_t &state) {
  state = state * 2806196910506780709u + 1;
  return static_cast<double>(state >> 11) * (1.0 / 9007199254740992.0);
}

BENCH_SHARED cross_sections sections(const pole *poles, const window_of_poles *windows, std::size_t lookup) {
  std::uint64_t state = (lookup + 1) * 0x9e3779b97f4a7c15u;
  const double energy = 0.01 + drawn(state), root = math::sqrt(energy);
  const int nuclide = static_cast<int>(drawn(state) * nuclides);
  const int place = nuclide * windows_per_nuclide + static_cast<int>((energy - 0.01) * windows_per_nuclide);
  const window_of_poles &w = windows[place];
  cross_sections sum = {w.total[0] / energy + w.total[1] / root + w.total[2],
                        w.absorbed[0] / energy + w.absorbed[1] / root + w.absorbed[2]};
  for (int k = w.first; k < w.last; k++) {
    const complex value = faddeeva(doppler * (complex{root, 0} - poles[k].place));
    sum.total += (poles[k].total * value).re / energy;
    sum.absorbed += (poles[k].absorbed * value).re / energy;
  }
  return sum;
}

struct multipole : pattern {
  std::size_t lookups;
  const pole *poles;
  const window_of_poles *windows;
  cross_sections *out;

  static double real(std::uint32_t seed, std::size_t i, double low, double high) {
    return random_real<double>(seed, i, low, high);
  }
  // Poles are near the middle of their window, below the real axis.
  static pole made_pole(std::size_t i) {
    const double middle = 0.01 + (double(i / poles_per_window % windows_per_nuclide) + 0.5) / windows_per_nuclide;
    return {{std::sqrt(middle) + real(151, i, -0.2, 0.2), real(152, i, -0.05, -0.005)},
            {real(153, i, 0.1, 1), real(154, i, -0.1, 0.1)},
            {real(155, i, 0.1, 1), real(156, i, -0.1, 0.1)}};
  }
  // Windows have one to six poles.
  static window_of_poles made_window(std::size_t i) {
    const auto term = [=](std::size_t k) { return real(157, 6 * i + k, 1, 2); };
    const int first = int(i) * poles_per_window;
    return {{term(0), term(1), term(2)},
            {term(3), term(4), term(5)},
            first,
            first + 1 + int(random_word(158, i) % poles_per_window)};
  }
  template <class Device>
  multipole(Device &device, bool small)
      : lookups(sized(small, std::size_t(1) << 21, 1 << 12)),
        poles(device.upload(filled(nuclides * windows_per_nuclide * poles_per_window, made_pole))),
        windows(device.upload(filled(nuclides * windows_per_nuclide, made_window))),
        out(device.template allocate<cross_sections>(lookups)) {}

  template <class Device> void reset(Device &device) const { device.poison(out, lookups); }

  template <class Device> bool correct(Device &device) const {
    const auto poles_here = filled(nuclides * windows_per_nuclide * poles_per_window, made_pole);
    const auto windows_here = filled(nuclides * windows_per_nuclide, made_window);
    const std::vector<cross_sections> found = device.read(out, lookups);
    for (std::size_t i = 0; i < lookups; i += lookups / 4096) {
      const cross_sections wanted = sections(poles_here.data(), windows_here.data(), i);
      if (!near("multipole total", i, found[i].total, wanted.total, 1, 1e-9) ||
          !near("multipole absorbed", i, found[i].absorbed, wanted.absorbed, 1, 1e-9))
        return false;
    }
    return true;
  }
};

} // namespace gpu::patterns

#endif
