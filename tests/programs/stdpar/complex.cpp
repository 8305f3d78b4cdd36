// Callables that compute with std::complex run on devices, and the numbers are those of the C++
// library.
// levels: 0 2
// options: --stdpar
#include <algorithm>
#include <complex>
#include <numeric>

#include "offloaded.hpp"

template <class Type> void check() {
  using Number = std::complex<Type>;
  std::vector<Number> in(1000), out(in.size()), expected(in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = Number(Type(i) / 100 - 5, Type(3) - Type(i % 7));
  const auto function = [](Number z) {
    return std::sqrt(z * z + Type(1)) / (z + Number(20, 1)) + std::exp(std::log(z + Number(0, 8)) * Type(0.5));
  };
  std::transform(in.begin(), in.end(), expected.begin(), function);
  on_device([&] { return std::transform(std::execution::par_unseq, in.begin(), in.end(), out.begin(), function); });
  for (std::size_t i = 0; i < in.size(); ++i)
    CHECK(std::abs(out[i] - expected[i]) <= 64 * std::numeric_limits<Type>::epsilon() * std::abs(expected[i]));
  const auto magnitude = [](Number z) { return std::abs(z) + std::arg(z); };
  // In a reduction they end the compiler of Intel's OpenCL for CPUs (2026.2).
  std::vector<Type> magnitudes(in.size());
  on_device([&] {
    return std::transform(std::execution::par, in.begin(), in.end(), magnitudes.begin(), magnitude);
  });
  const Type sum = std::accumulate(magnitudes.begin(), magnitudes.end(), Type(0));
  const double wanted = std::transform_reduce(in.begin(), in.end(), 0.0, std::plus<>(), magnitude);
  CHECK(std::fabs(double(sum) - wanted) <= 1e-4 * std::fabs(wanted));
}

int main() {
  check<float>();
  check<double>();
  return pass();
}
