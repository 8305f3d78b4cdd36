// Integer functions and arithmetic in a kernel against the host.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <cstdint>

#include "../check.hpp"

template <class T> static T mixed(T x, T y) {
  T result = sycl::min(x, y);
  result = T(result + 3 * sycl::max(x, y));
  result = T(result ^ T(sycl::abs(x)));
  result = T(result + 5 * sycl::popcount(x));
  result = T(result + 7 * sycl::clz(x) + 11 * sycl::ctz(y));
  result = T(result ^ sycl::mul_hi(x, y));
  result = T(result + sycl::rotate(x, T(5)) - T(sycl::abs_diff(x, y)));
  result = T(result ^ sycl::add_sat(x, y) ^ sycl::sub_sat(x, y));
  result = T(result + sycl::hadd(x, y) + sycl::clamp(x, T(3), T(100)));
  if (y != 0)
    result = T(result + x / y + x % y);
  return T(result + (x << (unsigned(y) % 7)) + (x >> (unsigned(y) % 5)));
}

template <class T> static void run(sycl::queue &queue) {
  constexpr int size = 500;
  T *out = sycl::malloc_shared<T>(size, queue);
  const auto x = [](int i) { return T(std::uint64_t(i) * 0x9e3779b97f4a7c15u >> 7); };
  const auto y = [](int i) { return T(std::uint64_t(i) * 0xc2b2ae3d27d4eb4fu >> 9); };
  queue.parallel_for(size, [=](int i) { out[i] = mixed<T>(x(i), y(i)); }).wait();
  for (int i = 0; i < size; ++i)
    CHECK(out[i] == mixed<T>(x(i), y(i)));
  sycl::free(out, queue);
}

int main() {
  CHECK_EQUAL(sycl::clz(0), 32);
  CHECK_EQUAL(sycl::clz(std::int16_t(1)), 15);
  CHECK_EQUAL(sycl::ctz(std::uint64_t(1) << 40), 40);
  CHECK_EQUAL(sycl::popcount(std::int8_t(-1)), 8);
  CHECK_EQUAL(sycl::mul_hi(1 << 30, 1 << 30), 1 << 28);
  CHECK_EQUAL(sycl::mul_hi(std::int64_t(-1), std::int64_t(1)), -1);
  CHECK(sycl::mul_hi(~std::uint64_t(0), ~std::uint64_t(0)) == ~std::uint64_t(1));
  CHECK_EQUAL(sycl::add_sat(INT32_MAX, 1), INT32_MAX);
  CHECK_EQUAL(sycl::sub_sat(0u, 1u), 0);
  CHECK_EQUAL(sycl::sub_sat(INT32_MIN, 1), INT32_MIN);
  CHECK_EQUAL(sycl::hadd(INT32_MAX, INT32_MAX), INT32_MAX);
  sycl::queue queue;
  run<std::int8_t>(queue);
  run<std::uint8_t>(queue);
  run<std::int16_t>(queue);
  run<std::uint16_t>(queue);
  run<std::int32_t>(queue);
  run<std::uint32_t>(queue);
  run<std::int64_t>(queue);
  run<std::uint64_t>(queue);
  return pass();
}
