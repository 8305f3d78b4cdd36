// SYCL's math functions in a kernel against the C library's on the host, float and double.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <cmath>
#include <limits>

#include "../check.hpp"

namespace {

constexpr int inputs = 64;

// Equal within a few units in the last place: device code may fuse and vectorise.
template <class T> bool close(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= 8 * std::numeric_limits<T>::epsilon() * std::fabs(b);
}

template <class T, class Device, class Host>
void check(sycl::queue &queue, T *data, const char *name, T from, T to, Device device, Host host) {
  queue.parallel_for(inputs, [=](int i) { data[i] = device(from + (to - from) * T(i) / T(inputs - 1)); }).wait();
  for (int i = 0; i < inputs; ++i) {
    const T x = from + (to - from) * T(i) / T(inputs - 1);
    if (!close<T>(data[i], host(x))) {
      std::printf("%s(%.17g) is %.17g, not %.17g\n", name, double(x), double(data[i]), double(host(x)));
      std::exit(1);
    }
  }
}

#define FUNCTION(name, from, to)                                                                                     \
  check<T>(queue, data, #name, T(from), T(to), [](T x) { return sycl::name(x); }, [](T x) { return std::name(x); })
#define EXPRESSION(from, to, device, host)                                                                           \
  check<T>(queue, data, #device, T(from), T(to), [](T x) { return T(device); }, [](T x) { return T(host); })

template <class T> void run(sycl::queue &queue) {
  T *data = sycl::malloc_shared<T>(inputs, queue);
  FUNCTION(sqrt, 0, 100);
  FUNCTION(cbrt, -10, 10);
  FUNCTION(exp, -5, 5);
  FUNCTION(exp2, -5, 5);
  FUNCTION(expm1, -1, 1);
  FUNCTION(log, 0.1, 100);
  FUNCTION(log2, 0.1, 100);
  FUNCTION(log10, 0.1, 100);
  FUNCTION(log1p, -0.5, 5);
  FUNCTION(sin, -3, 3);
  FUNCTION(cos, -3, 3);
  FUNCTION(tan, -1, 1);
  FUNCTION(asin, -1, 1);
  FUNCTION(acos, -1, 1);
  FUNCTION(atan, -5, 5);
  FUNCTION(sinh, -3, 3);
  FUNCTION(cosh, -3, 3);
  FUNCTION(tanh, -3, 3);
  FUNCTION(fabs, -3, 3);
  FUNCTION(floor, -3, 3);
  FUNCTION(ceil, -3, 3);
  FUNCTION(round, -3, 3);
  FUNCTION(rint, -3, 3);
  FUNCTION(trunc, -3, 3);
  FUNCTION(erf, -2, 2);
  FUNCTION(erfc, -2, 2);
  EXPRESSION(0.1, 3, sycl::pow(x, T(2.5)), std::pow(x, T(2.5)));
  EXPRESSION(-3, 3, sycl::pown(x, 3), x * x * x);
  EXPRESSION(0.1, 3, sycl::powr(x, T(0.5)), std::pow(x, T(0.5)));
  EXPRESSION(-3, 3, sycl::atan2(x, T(0.7)), std::atan2(x, T(0.7)));
  EXPRESSION(-3, 3, sycl::hypot(x, T(4)), std::hypot(x, T(4)));
  EXPRESSION(-3, 3, sycl::fmod(x, T(0.75)), std::fmod(x, T(0.75)));
  EXPRESSION(-3, 3, sycl::fmin(x, T(0.7)) + sycl::fmax(x, T(0.1)), std::fmin(x, T(0.7)) + std::fmax(x, T(0.1)));
  EXPRESSION(-3, 3, sycl::fma(x, x, T(1)), std::fma(x, x, T(1)));
  EXPRESSION(-3, 3, sycl::ldexp(x, 5), x * 32);
  EXPRESSION(-3, 3, sycl::copysign(x, T(-1)), -std::fabs(x));
  EXPRESSION(0.5, 9, sycl::rsqrt(x), 1 / std::sqrt(x));
  EXPRESSION(-1, 1, sycl::exp10(x), std::pow(T(10), x));
  EXPRESSION(-9, 9, sycl::sinpi(sycl::floor(x)) + sycl::cospi(sycl::floor(x) + T(0.5)), T(0) * x);
  EXPRESSION(-9, 9, sycl::cospi(sycl::floor(x)), std::fmod(std::floor(x), T(2)) == 0 ? T(1) : T(-1));
  EXPRESSION(-0.4, 0.4, sycl::sinpi(x), std::sin(T(3.14159265358979323846) * x));
  EXPRESSION(-3, 3, sycl::isnan(x) + 2 * sycl::isfinite(x) + 4 * sycl::isinf(x) + 8 * sycl::signbit(x),
             2 + 8 * std::signbit(x));
  EXPRESSION(0, 1, sycl::isnan(sycl::sqrt(x - T(2))) + 2 * sycl::isinf(T(1) / (x * T(0))), T(0) * x + 3);
  EXPRESSION(-3, 3, sycl::clamp(x, T(-1), T(1)), x < -1 ? T(-1) : x > 1 ? T(1) : x);
  sycl::free(data, queue);
}

void outputs(sycl::queue &queue) {
  double *out = sycl::malloc_shared<double>(8, queue);
  const double input = 10.75;
  queue.single_task([=] {
    double cosine, whole, part;
    int exponent;
    out[0] = sycl::sincos(input, &cosine);
    out[1] = cosine;
    out[2] = sycl::frexp(input, &exponent);
    out[3] = exponent;
    out[4] = sycl::modf(-input, &whole);
    out[5] = whole;
    out[6] = sycl::fract(-input, &part);
    out[7] = part;
  }).wait();
  const double expected[] = {std::sin(input), std::cos(input), 10.75 / 16, 4, -0.75, -10, 0.25, -11};
  for (int i = 0; i < 8; ++i)
    CHECK(close(out[i], expected[i]));
  sycl::free(out, queue);
}

void native(sycl::queue &queue) {
  float *out = sycl::malloc_shared<float>(inputs, queue);
  queue.parallel_for(inputs, [=](int i) {
    const float x = 0.5f + float(i) / 16;
    out[i] = sycl::native::sqrt(x) + sycl::native::exp(x) + sycl::native::log(x) + sycl::native::sin(x) +
             sycl::native::divide(x, 3.0f) + sycl::native::recip(x) + sycl::native::powr(x, 1.5f);
  }).wait();
  for (int i = 0; i < inputs; ++i) {
    const float x = 0.5f + float(i) / 16;
    const float expected = std::sqrt(x) + std::exp(x) + std::log(x) + std::sin(x) + x / 3 + 1 / x + std::pow(x, 1.5f);
    // The precision is implementation-defined; 2e-4 is the largest observed error.
    CHECK(std::fabs(out[i] - expected) < 1e-3f * expected);
  }
  sycl::free(out, queue);
}

// True within the bound of OpenCL for powers and roots with integer exponents.
template <class T> bool is_near(T found, T expected) {
  const T bound = 16 * std::numeric_limits<T>::epsilon() * sycl::fabs(expected);
  return sycl::fabs(found - expected) <= bound;
}

// OpenCL's specification: the sign of lgamma_r is 0 at zero and the negative integers. The
// arguments are no literals.
template <class T> bool gamma_signs(T infinity) {
  const T poles[] = {T(0) / infinity, T(-1) / infinity, -1 + 1 / infinity, -2 + 1 / infinity, T(-1e30) + 1 / infinity};
  const T others[] = {T(-0.5), T(-1.5), T(-2.5), T(3), infinity, T(1e-30), T(-1e-30)};
  const int signs[] = {-1, 1, -1, 1, 1, 1, -1};
  bool right = true;
  for (const T pole : poles) {
    int sign = 9;
    right &= sycl::isinf(sycl::lgamma_r(pole, &sign)) && sign == 0;
  }
  for (int i = 0; i < 7; ++i) {
    int sign = 9;
    sycl::lgamma_r(others[i] + 1 / infinity, &sign);
    right &= sign == signs[i];
  }
  return right;
}

// Results that the specification requires and simple formulas miss: in device code, which calls
// builtins, and in host code.
template <class T> int edges(T infinity) {
  T whole = 0;
  int sign = 0, wrong = 0;
  wrong |= sycl::fract(infinity, &whole) != T(0) || whole != infinity ? 1 : 0;
  wrong |= sycl::fract(T(-1e-30), &whole) >= T(1) || whole != T(-1) ? 2 : 0;
  wrong |= !sycl::isnan(sycl::powr(T(-1), T(2))) || !sycl::isnan(sycl::powr(infinity, T(0))) ? 4 : 0;
  wrong |= !sycl::isnan(sycl::rootn(T(5), 0)) || !is_near(sycl::rootn(T(-27), 3), T(-3)) ? 8 : 0;
  wrong |= !is_near(sycl::rootn(T(1024), 10), T(2)) || !is_near(sycl::pown(T(-1), 2147483647), T(-1)) ? 16 : 0;
  wrong |= !sycl::signbit(sycl::sinpi(T(-3))) || sycl::signbit(sycl::sinpi(T(3))) ? 32 : 0;
  wrong |= sycl::signbit(sycl::cospi(T(1.5))) || sycl::cospi(T(1.5)) != T(0) || sycl::cospi(T(3)) != T(-1) ? 64 : 0;
  wrong |= !sycl::isnan(sycl::sinpi(infinity)) || !sycl::isnan(sycl::cospi(-infinity)) ? 128 : 0;
  wrong |= sycl::lgamma_r(T(-0.5), &sign) <= T(1) || sign != -1 ? 256 : 0;
  wrong |= sycl::modf(-infinity, &whole) != T(0) || whole != -infinity ? 512 : 0;
  wrong |= gamma_signs<T>(infinity) ? 0 : 2048;
  // The argument is not a literal, so that the optimiser does not compute the result.
  wrong |= !sycl::signbit(sycl::fract(T(-1) / infinity, &whole)) || !sycl::signbit(whole) ? 1024 : 0;
  return wrong;
}

void edges(sycl::queue &queue) {
  int *out = sycl::malloc_shared<int>(2, queue);
  const float infinity = std::numeric_limits<float>::infinity();
  queue.single_task([=] {
    out[0] = edges<float>(infinity);
    out[1] = edges<double>(infinity);
  }).wait();
  CHECK_EQUAL(out[0], 0);
  CHECK_EQUAL(out[1], 0);
  CHECK_EQUAL(edges<float>(infinity), 0);
  CHECK_EQUAL(edges<double>(infinity), 0);
  sycl::free(out, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  run<float>(queue);
  run<double>(queue);
  outputs(queue);
  native(queue);
  edges(queue);
  return pass();
}
