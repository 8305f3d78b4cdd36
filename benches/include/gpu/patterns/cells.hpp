// Membranes of cells: systems of rate equations in f32, with many exponentials and divisions.
//
// A nerve cell (Hodgkin and Huxley, 1952) with many fourth-order Runge-Kutta steps in a launch, and
// a heart cell (Beeler and Reuter, 1977) with a single Euler step of its eight equations in a
// launch.
#ifndef BENCHES_GPU_PATTERNS_CELLS_HPP
#define BENCHES_GPU_PATTERNS_CELLS_HPP

#include "pattern.hpp"

namespace gpu::patterns {

template <class T> struct nerve_state {
  T v, m, h, n;
};

constexpr int nerve_steps = 20;

template <class T> BENCH_SHARED nerve_state<T> nerve_slope(const nerve_state<T> &s, T current) {
  const T v = s.v + T(65);
  const T am = T(0.1) * (T(25.05) - v) / (math::exp((T(25.05) - v) / T(10)) - T(1));
  const T bm = T(4) * math::exp(-v / T(18));
  const T ah = T(0.07) * math::exp(-v / T(20));
  const T bh = T(1) / (math::exp((T(30) - v) / T(10)) + T(1));
  const T an = T(0.01) * (T(10.05) - v) / (math::exp((T(10.05) - v) / T(10)) - T(1));
  const T bn = T(0.125) * math::exp(-v / T(80));
  const T sodium = T(120) * s.m * s.m * s.m * s.h * (s.v - T(50));
  const T potassium = T(36) * s.n * s.n * s.n * s.n * (s.v + T(77));
  const T leak = T(0.3) * (s.v + T(54.387));
  return {current - sodium - potassium - leak, am * (T(1) - s.m) - bm * s.m, ah * (T(1) - s.h) - bh * s.h,
          an * (T(1) - s.n) - bn * s.n};
}

template <class T> BENCH_SHARED nerve_state<T> moved(const nerve_state<T> &s, const nerve_state<T> &by, T factor) {
  return {s.v + factor * by.v, s.m + factor * by.m, s.h + factor * by.h, s.n + factor * by.n};
}

// One step of 0.01 ms.
template <class T> BENCH_SHARED nerve_state<T> nerve_step(const nerve_state<T> &s, T current) {
  const T step = T(0.01);
  const nerve_state<T> a = nerve_slope(s, current), b = nerve_slope(moved(s, a, step / T(2)), current);
  const nerve_state<T> c = nerve_slope(moved(s, b, step / T(2)), current), d = nerve_slope(moved(s, c, step), current);
  return moved(moved(moved(s, a, step / T(6)), moved(b, c, T(1)), step / T(3)), d, step / T(6));
}

struct nerve : pattern {
  std::size_t count;
  const nerve_state<float> *in;
  nerve_state<float> *out;

  static nerve_state<float> start(std::size_t i) {
    return {random_real<float>(141, i, -70, -20), random_real<float>(142, i, 0, 1), random_real<float>(143, i, 0, 1),
            random_real<float>(144, i, 0, 1)};
  }
  template <class Device>
  nerve(Device &device, bool small)
      : count(sized(small, 1 << 20, 1 << 12)), in(device.upload(filled(count, start))),
        out(device.template allocate<nerve_state<float>>(count)) {}

  template <class Device> void reset(Device &device) const { device.poison(out, count); }

  template <class Device> bool correct(Device &device) const {
    const std::size_t step = count / 256;
    for (std::size_t i = 0; i < count; i += step) {
      const nerve_state<float> first = start(i), found = device.read(out + i, 1)[0];
      nerve_state<double> s = {first.v, first.m, first.h, first.n};
      for (int k = 0; k < nerve_steps; k++)
        s = nerve_step<double>(s, 10);
      if (!near("nerve v", i, found.v, s.v, 100, 1e-5) || !near("nerve m", i, found.m, s.m, 1, 1e-4) ||
          !near("nerve h", i, found.h, s.h, 1, 1e-4) || !near("nerve n", i, found.n, s.n, 1, 1e-4))
        return false;
    }
    return true;
  }
};

// Potential, calcium, and the gates x1, m, h, j, d, f.
constexpr int heart_values = 8;

template <class T> struct heart_state {
  T value[heart_values];
};

// (c1 exp(c2 (v + c3)) + c4 (v + c5)) / (exp(c6 (v + c3)) + c7)
template <class T> BENCH_SHARED T heart_rate(T v, T c1, T c2, T c3, T c4, T c5, T c6, T c7) {
  return (c1 * math::exp(c2 * (v + c3)) + c4 * (v + c5)) / (math::exp(c6 * (v + c3)) + c7);
}

constexpr int heart_gates = heart_values - 2;

// Membrane rates: the current, its slow part, and the opening and closing rates of the gates.
template <class T> struct heart_rates {
  T current, slow, opens[heart_gates], closes[heart_gates];
};

template <class T> BENCH_SHARED heart_rates<T> rates_of(const T *state) {
  const T v = state[0], calcium = state[1];
  const T x1 = state[2], m = state[3], h = state[4], j = state[5], d = state[6], f = state[7];
  const T k1 = T(0.35) * (T(4) * (math::exp(T(0.04) * (v + T(85))) - T(1)) /
                              (math::exp(T(0.08) * (v + T(53))) + math::exp(T(0.04) * (v + T(53)))) +
                          T(0.2) * (v + T(23)) / (T(1) - math::exp(T(-0.04) * (v + T(23)))));
  const T outward = x1 * T(0.8) * (math::exp(T(0.04) * (v + T(77))) - T(1)) / math::exp(T(0.04) * (v + T(35)));
  const T sodium = (T(4) * m * m * m * h * j + T(0.003)) * (v - T(50));
  const T slow = T(0.09) * d * f * (v + T(82.3) + T(13.0287) * math::log(calcium));
  const auto rate = [v](double a, double b, double c, double e, double g, double i, double k) {
    return heart_rate<T>(v, T(a), T(b), T(c), T(e), T(g), T(i), T(k));
  };
  return {k1 + outward + sodium + slow,
          slow,
          {rate(0.0005, 0.083, 50, 0, 0, 0.057, 1), rate(0, 0, 47, -1, 47, -0.1, -1),
           rate(0.126, -0.25, 77, 0, 0, 0, 0), rate(0.055, -0.25, 78, 0, 0, -0.2, 1),
           rate(0.095, -0.01, -5, 0, 0, -0.072, 1), rate(0.012, -0.008, 28, 0, 0, 0.15, 1)},
          {rate(0.0013, -0.06, 20, 0, 0, -0.04, 1), rate(40, -0.056, 72, 0, 0, 0, 0),
           rate(1.7, 0, 22.5, 0, 0, -0.082, 1), rate(0.3, 0, 32, 0, 0, -0.1, 1), rate(0.07, -0.017, 44, 0, 0, 0.05, 1),
           rate(0.0065, -0.02, 30, 0, 0, -0.2, 1)}};
}

// The exact solution of a gate's equation over a step with constant rates.
template <class T> BENCH_SHARED T gate(T y, T opens, T closes, T step) {
  const T all = opens + closes, rest = opens / all;
  return rest + (y - rest) * math::exp(-step * all);
}

template <class T> BENCH_SHARED T calcium_slope(T calcium, T slow) {
  return T(-1e-7) * slow + T(0.07) * (T(1e-7) - calcium);
}

// One step of 0.02 ms.
template <class T> BENCH_SHARED heart_state<T> heart_step(const heart_state<T> &s) {
  const T step = T(0.02);
  const heart_rates<T> r = rates_of(s.value);
  heart_state<T> next;
  next.value[0] = s.value[0] - step * r.current;
  next.value[1] = s.value[1] + step * calcium_slope(s.value[1], r.slow);
  for (int k = 0; k < heart_gates; k++)
    next.value[2 + k] = gate(s.value[2 + k], r.opens[k], r.closes[k], step);
  return next;
}

// Each variable has its own array.
struct heart : pattern {
  std::size_t count;
  const float *in;
  float *out;

  static float start(std::size_t variable, std::size_t i) {
    const std::uint32_t seed = 145 + std::uint32_t(variable);
    if (variable == 0)
      return random_real<float>(seed, i, -85, 20);
    return variable == 1 ? random_real<float>(seed, i, 1e-7f, 1e-5f) : random_real<float>(seed, i, 0, 1);
  }
  template <class Device>
  heart(Device &device, bool small)
      : count(sized(small, 1 << 20, 1 << 12)),
        in(device.upload(filled(heart_values * count, [n = count](std::size_t i) { return start(i / n, i % n); }))),
        out(device.template allocate<float>(heart_values * count)) {
    bytes = 2.0 * heart_values * sizeof(float) * count;
  }

  template <class Device> void reset(Device &device) const { device.poison(out, heart_values * count); }

  template <class Device> bool correct(Device &device) const {
    const std::vector<float> found = device.read(out, heart_values * count);
    for (std::size_t i = 0; i < count; i += count / 1024) {
      heart_state<double> s;
      for (std::size_t k = 0; k < heart_values; k++)
        s.value[k] = start(k, i);
      s = heart_step(s);
      for (std::size_t k = 0; k < heart_values; k++)
        if (!near("heart", k * count + i, found[k * count + i], s.value[k], k == 0 ? 100 : k == 1 ? 1e-5 : 1, 1e-4))
          return false;
    }
    return true;
  }
};

constexpr int fehlberg_stages = 6, fehlberg_steps = 4;

template <class T> BENCH_SHARED void heart_slope(const T *state, T *slope) {
  const heart_rates<T> r = rates_of(state);
  slope[0] = -r.current;
  slope[1] = calcium_slope(state[1], r.slow);
  for (int k = 0; k < heart_gates; k++)
    slope[2 + k] = r.opens[k] * (T(1) - state[2 + k]) - r.closes[k] * state[2 + k];
}

// Takes `fehlberg_steps` steps of 0.005 ms (Fehlberg, 1969), fourth order, with plain arrays.
// Returns the largest difference to the fifth order.
template <class T> BENCH_SHARED T fehlberg(T *state) {
  constexpr double inner[fehlberg_stages][fehlberg_stages - 1] = {
      {0, 0, 0, 0, 0},
      {1 / 4., 0, 0, 0, 0},
      {3 / 32., 9 / 32., 0, 0, 0},
      {1932 / 2197., -7200 / 2197., 7296 / 2197., 0, 0},
      {439 / 216., -8, 3680 / 513., -845 / 4104., 0},
      {-8 / 27., 2, -3544 / 2565., 1859 / 4104., -11 / 40.}};
  constexpr double fourth[fehlberg_stages] = {25 / 216., 0, 1408 / 2565., 2197 / 4104., -1 / 5., 0};
  constexpr double fifth[fehlberg_stages] = {16 / 135., 0, 6656 / 12825., 28561 / 56430., -9 / 50., 2 / 55.};
  const T step = T(0.005);
  T slope[fehlberg_stages][heart_values], middle[heart_values], largest = 0;
  for (int round = 0; round < fehlberg_steps; round++) {
    for (int stage = 0; stage < fehlberg_stages; stage++) {
      for (int k = 0; k < heart_values; k++) {
        middle[k] = state[k];
        for (int before = 0; before < stage; before++)
          middle[k] += step * T(inner[stage][before]) * slope[before][k];
      }
      heart_slope(middle, slope[stage]);
    }
    for (int k = 0; k < heart_values; k++) {
      T difference = 0;
      for (int stage = 0; stage < fehlberg_stages; stage++) {
        state[k] += step * T(fourth[stage]) * slope[stage][k];
        difference += step * T(fifth[stage] - fourth[stage]) * slope[stage][k];
      }
      largest = math::fabs(difference) > largest ? math::fabs(difference) : largest;
    }
  }
  return largest;
}

// The values of an item are contiguous; the difference follows them.
struct orders : pattern {
  static constexpr std::size_t width = heart_values + 1;

  std::size_t count;
  const float *in;
  float *out;

  template <class Device>
  orders(Device &device, bool small)
      : count(sized(small, 1 << 18, 1 << 10)),
        in(device.upload(
            filled(width * count, [](std::size_t i) { return heart::start(i % width % heart_values, i / width); }))),
        out(device.template allocate<float>(width * count)) {}

  template <class Device> void reset(Device &device) const { device.poison(out, width * count); }

  template <class Device> bool correct(Device &device) const {
    const std::vector<float> from = device.read(in, width * count), found = device.read(out, width * count);
    for (std::size_t i = 0; i < count; i += count / 1024) {
      double state[heart_values];
      for (std::size_t k = 0; k < heart_values; k++)
        state[k] = from[width * i + k];
      const double difference = fehlberg(state);
      for (std::size_t k = 0; k < heart_values; k++)
        if (!near("orders", width * i + k, found[width * i + k], state[k], k == 0 ? 100 : k == 1 ? 1e-5 : 1, 1e-4))
          return false;
      if (!near("the difference of orders", i, found[width * i + heart_values], difference, 1, 1e-3))
        return false;
    }
    return true;
  }
};

} // namespace gpu::patterns

#endif
