// Parts of the standard library that do not use the operating system work in kernels.
// levels: 0 2
// needs: recursion
// standards: c++17 c++20
#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "../check.hpp"

static double work(int i) {
  std::array<int, 8> values{};
  std::iota(values.begin(), values.end(), i);
  std::reverse(values.begin(), values.end());
  std::sort(values.begin(), values.end());
  std::swap(values[0], values[7]);
  const auto [smallest, largest] = std::minmax(values[1], values[6]);
  const std::tuple<int, double, char> mixed(values[0], 0.5, 'c');
  const std::pair<int, int> pair = std::make_pair(smallest, largest);
  std::optional<int> maybe;
  if (i % 2 == 0)
    maybe = i;
  std::complex<double> z(i, 1.0);
  z += std::complex<double>(1.0, 2.0) * 2.0;
  return std::get<0>(mixed) + std::get<1>(mixed) + pair.first * pair.second + maybe.value_or(-1) + z.real() * z.imag() +
         std::accumulate(values.begin(), values.end(), 0) + std::clamp(i, 3, 9) +
         (std::numeric_limits<int>::max() == i ? 1 : 0) + std::max({1, i, 3});
}

int main() {
  sycl::queue queue;
  double *out = sycl::malloc_shared<double>(100, queue);
  const std::tuple<float, int> captured(0.25f, 3);
  queue.parallel_for(100, [=](int i) { out[i] = work(i) + std::get<0>(captured) * std::get<1>(captured); }).wait();
  for (int i = 0; i < 100; ++i)
    CHECK_EQUAL(out[i], work(i) + 0.75);
  sycl::free(out, queue);
  return pass();
}
