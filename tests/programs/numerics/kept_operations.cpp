// Permission to contract products and sums is none to leave out operations that round: compensated
// sums, sums with zero, and conversions there and back.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <cmath>
#include <limits>

#include "../check.hpp"

namespace {

struct numbers {
  float large, small, negative_zero, fraction, infinity;
  int whole;
  double precise;
};

struct results {
  float rest, plus_zero, times_one, times_zero, over_zero, zero_over, back_and_forth, through_half;
  int whole;
  double through_float;
};

results computed(const numbers &x) {
  const float sum = x.large + x.small, rounded = static_cast<float>(x.whole);
  results made;
  made.rest = sum - x.large;
  made.plus_zero = x.negative_zero + 0.0f;
  made.times_one = x.negative_zero * 1.0f;
  made.times_zero = x.infinity * 0.0f;
  made.over_zero = x.fraction / 0.0f;
  made.zero_over = 0.0f / x.negative_zero;
  made.back_and_forth = static_cast<float>(static_cast<int>(x.fraction));
  made.through_half = static_cast<float>(sycl::half(x.small));
  made.whole = static_cast<int>(rounded);
  made.through_float = static_cast<double>(static_cast<float>(x.precise));
  return made;
}

// Intel's OpenCL for CPUs takes a conversion to an integer and back for `trunc`, which keeps signs.
void check(const results &found, const char *where, bool keeps_sign = false) {
  std::printf("%s\n", where);
  CHECK_EQUAL(found.rest, 4);
  CHECK(found.plus_zero == 0 && !std::signbit(found.plus_zero));
  CHECK(found.times_one == 0 && std::signbit(found.times_one));
  CHECK(std::isnan(found.times_zero) && std::isnan(found.zero_over));
  CHECK(found.over_zero == -HUGE_VALF);
  CHECK(found.back_and_forth == 0 && (keeps_sign || !std::signbit(found.back_and_forth)));
  CHECK_EQUAL(found.through_half, 0x1.8p1f);
  CHECK_EQUAL(found.whole, 16777216);
  CHECK_EQUAL(found.through_float, 0x1.000002p0);
}

// A whole number becomes float by way of double: rounded twice, up to the middle of two numbers and
// from there to the even one.
void check_double_rounding(sycl::queue &queue) {
  long *whole = sycl::malloc_shared<long>(2, queue);
  float *found = sycl::malloc_shared<float>(4, queue);
  whole[0] = (1l << 62) + (1l << 38) + 1;
  whole[1] = -whole[0];
  queue.parallel_for(2, [=](sycl::id<1> i) {
    found[2 * i] = static_cast<float>(static_cast<double>(whole[i]));
    found[2 * i + 1] = static_cast<float>(whole[i]);
  }).wait();
  CHECK(found[0] == 0x1p62f && found[1] == 0x1.000002p62f);
  CHECK(found[2] == -0x1p62f && found[3] == -0x1.000002p62f);
  sycl::free(whole, queue);
  sycl::free(found, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  numbers *x = sycl::malloc_shared<numbers>(1, queue);
  results *found = sycl::malloc_shared<results>(1, queue);
  *x = {0x1p25f, 0x1.801p1f, -0.0f, -0.75f, HUGE_VALF, 16777217, 0x1.0000029p0};
  queue.single_task([=] { *found = computed(*x); }).wait();
  check(*found, "in a kernel", queue.get_backend() == sycl::backend::opencl);
  check(computed(*x), "on the host");
  check_double_rounding(queue);
  sycl::free(x, queue);
  sycl::free(found, queue);
  return pass();
}
