// Constant tables with more elements than a SPIR-V instruction can hold.
// levels: 0 2
#include <array>
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct element {
  double number;
  short step;
  bool mark;
};

constexpr std::size_t count = 66001, flags = 70001;

constexpr auto make_elements() {
  std::array<element, count> made{};
  for (std::size_t i = 0; i < count; ++i)
    made[i] = element{i * 0.5, static_cast<short>(i * 7), i % 3 == 0};
  return made;
}

constexpr auto make_flags() {
  std::array<bool, flags> made{};
  for (std::size_t i = 0; i < flags; ++i)
    made[i] = (i * i) % 5 == 1;
  return made;
}

constexpr auto elements = make_elements();
constexpr auto marked = make_flags();

static double value(std::size_t i) {
  const element &e = elements[i * 31 % count];
  return e.number + e.step + (e.mark ? 0.25 : 0) + (marked[i * 17 % flags] ? 0.125 : 0);
}

int main() {
  sycl::queue queue;
  double *out = sycl::malloc_shared<double>(count, queue);
  queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { out[i] = value(i); }).wait();
  for (std::size_t i = 0; i < count; ++i)
    CHECK_EQUAL(out[i], value(i));
  sycl::free(out, queue);
  return pass();
}
