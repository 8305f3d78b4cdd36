// Membranes of cells: systems of rate equations in f32, full of exponentials and divisions.
//
// A nerve cell after Hodgkin and Huxley (1952), many steps of the Runge-Kutta method of fourth order in a launch, and a
// heart cell after Beeler and Reuter (1977), a single Euler step of its eight equations in a launch.
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

// The exact solution of a gate's equation over a step during which the rates stay.
template <class T> BENCH_SHARED T gate(T y, T opens, T closes, T step) {
  const T all = opens + closes, rest = opens / all;
  return rest + (y - rest) * math::exp(-step * all);
}

// One step of 0.02 ms.
template <class T> BENCH_SHARED heart_state<T> heart_step(const heart_state<T> &s) {
  const T step = T(0.02), v = s.value[0], calcium = s.value[1];
  const T x1 = s.value[2], m = s.value[3], h = s.value[4], j = s.value[5], d = s.value[6], f = s.value[7];
  const T k1 = T(0.35) * (T(4) * (math::exp(T(0.04) * (v + T(85))) - T(1)) /
                              (math::exp(T(0.08) * (v + T(53))) + math::exp(T(0.04) * (v + T(53)))) +
                          T(0.2) * (v + T(23)) / (T(1) - math::exp(T(-0.04) * (v + T(23)))));
  const T outward = x1 * T(0.8) * (math::exp(T(0.04) * (v + T(77))) - T(1)) / math::exp(T(0.04) * (v + T(35)));
  const T sodium = (T(4) * m * m * m * h * j + T(0.003)) * (v - T(50));
  const T slow = T(0.09) * d * f * (v + T(82.3) + T(13.0287) * math::log(calcium));
  heart_state<T> next;
  next.value[0] = v - step * (k1 + outward + sodium + slow);
  next.value[1] = calcium + step * (T(-1e-7) * slow + T(0.07) * (T(1e-7) - calcium));
  const auto rate = [v](double a, double b, double c, double e, double g, double i, double k) {
    return heart_rate<T>(v, T(a), T(b), T(c), T(e), T(g), T(i), T(k));
  };
  next.value[2] = gate(x1, rate(0.0005, 0.083, 50, 0, 0, 0.057, 1), rate(0.0013, -0.06, 20, 0, 0, -0.04, 1), step);
  next.value[3] = gate(m, rate(0, 0, 47, -1, 47, -0.1, -1), rate(40, -0.056, 72, 0, 0, 0, 0), step);
  next.value[4] = gate(h, rate(0.126, -0.25, 77, 0, 0, 0, 0), rate(1.7, 0, 22.5, 0, 0, -0.082, 1), step);
  next.value[5] = gate(j, rate(0.055, -0.25, 78, 0, 0, -0.2, 1), rate(0.3, 0, 32, 0, 0, -0.1, 1), step);
  next.value[6] = gate(d, rate(0.095, -0.01, -5, 0, 0, -0.072, 1), rate(0.07, -0.017, 44, 0, 0, 0.05, 1), step);
  next.value[7] = gate(f, rate(0.012, -0.008, 28, 0, 0, 0.15, 1), rate(0.0065, -0.02, 30, 0, 0, -0.2, 1), step);
  return next;
}

// Each variable has an array of its own.
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

} // namespace gpu::patterns

#endif
