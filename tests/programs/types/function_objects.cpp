// minimum and maximum of vec and marray by element, and what converts to the code of a NaN.
// standards: c++17 c++20
#include <sycl/sycl.hpp>

#include "../check.hpp"

using quad = sycl::vec<int, 4>;
using triple = sycl::marray<float, 3>;
static_assert(std::is_same_v<decltype(sycl::maximum<>()(quad(), quad())), quad>);
static_assert(std::is_same_v<decltype(sycl::minimum<>()(triple(), triple())), triple>);
static_assert(std::is_same_v<decltype(sycl::maximum<>()(1, 2.0)), double>);
static_assert(sycl::maximum<int>()(3, 4) == 4 && sycl::minimum<>()(3u, 4u) == 3);

// Converts to one type of code only.
template <class Code> struct coded {
  operator Code() const { return Code(5); }
};
static_assert(std::is_same_v<decltype(sycl::nan(coded<std::uint16_t>())), sycl::half>);
static_assert(std::is_same_v<decltype(sycl::nan(coded<std::uint32_t>())), float>);
static_assert(std::is_same_v<decltype(sycl::nan(coded<std::uint64_t>())), double>);
static_assert(std::is_same_v<decltype(sycl::nan(1)), float>);

struct results {
  quad largest, smallest;
  triple larger;
};

int main() {
  sycl::queue queue;
  auto *found = sycl::malloc_shared<results>(1, queue);
  const quad a(1, -2, 3, 4), b(0, 5, 3, -7);
  const triple x(1.0f, 2.0f, 3.0f), y(3.0f, 2.0f, 1.0f);
  queue.single_task([=] {
    found->largest = sycl::maximum<quad>()(a, b);
    found->smallest = sycl::minimum<>()(a, b);
    found->larger = sycl::maximum<>()(x, y);
  });
  queue.wait();
  const int largest[] = {1, 5, 3, 4}, smallest[] = {0, -2, 3, -7};
  for (int i = 0; i < 4; ++i) {
    CHECK_EQUAL(found->largest[i], largest[i]);
    CHECK_EQUAL(found->smallest[i], smallest[i]);
  }
  const float larger[] = {3.0f, 2.0f, 3.0f};
  for (std::size_t i = 0; i < 3; ++i)
    CHECK_EQUAL(found->larger[i], larger[i]);
  sycl::free(found, queue);
  CHECK(sycl::isnan(sycl::nan(coded<std::uint64_t>())));
  return pass();
}
