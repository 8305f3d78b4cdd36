// European options (Black and Scholes) with the error function: logarithm, exponentials, square
// root and divisions in f32.
#ifndef BENCHES_GPU_PATTERNS_OPTIONS_HPP
#define BENCHES_GPU_PATTERNS_OPTIONS_HPP

#include "pattern.hpp"

namespace gpu::patterns {

struct contract {
  float price, strike, years, rate, volatility;
};

struct options_with_erf : pattern {
  std::size_t count;
  const contract *in;
  float *call, *put;

  static contract made(std::size_t i) {
    const auto at = [i](std::uint32_t seed, float low, float high) { return random_real<float>(seed, i, low, high); };
    return {at(171, 5, 30), at(172, 1, 100), at(173, 0.25f, 10), at(174, 0.01f, 0.05f), at(175, 0.1f, 0.5f)};
  }
  template <class Device>
  options_with_erf(Device &device, bool small)
      : count(sized(small, std::size_t(1) << 24, 1 << 14)), in(device.upload(filled(count, made))),
        call(device.template allocate<float>(2 * count)), put(call + count) {
    bytes = 7.0 * sizeof(float) * count;
  }

  template <class Device> void reset(Device &device) const { device.poison(call, 2 * count); }

  template <class Device> bool correct(Device &device) const {
    const auto normal = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    const std::vector<float> found = device.read(call, 2 * count);
    for (std::size_t i = 0; i < count; i += count / 8192) {
      const contract c = made(i);
      const double spread = double(c.volatility) * std::sqrt(double(c.years));
      const double d1 =
          (std::log(double(c.price) / c.strike) + (c.rate + 0.5 * c.volatility * c.volatility) * c.years) / spread;
      const double worth = c.strike * std::exp(-double(c.rate) * c.years);
      const double wanted = c.price * normal(d1) - worth * normal(d1 - spread);
      if (!near("call", i, found[i], wanted, 100, 2e-6) ||
          !near("put", i, found[count + i], wanted - c.price + worth, 100, 2e-6))
        return false;
    }
    return true;
  }
};

} // namespace gpu::patterns

#endif
