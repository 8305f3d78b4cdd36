// Shared by the tests of complex numbers of both precisions: the functions of std::complex, which
// call those of C, against the host's. Values have small errors in each part; special values are
// the same.
#ifndef TESTS_NUMERICS_COMPLEX_OF_C_HPP
#define TESTS_NUMERICS_COMPLEX_OF_C_HPP

#include "../check.hpp"
#include <sycl/sycl.hpp>

#include <complex>
#include <limits>
#include <string>
#include <vector>

// Units in the last place by which a part may differ. The host's own functions are off by up to 6.
constexpr double tolerance = 20;

// C does not define the sign of some zeros and infinities that infinite and undefined parts give.
template <class Type> bool is_close(Type value, Type expected, bool has_sign) {
  if (std::isnan(expected))
    return std::isnan(value);
  if (std::isinf(expected) || expected == 0)
    return std::fabs(value) == std::fabs(expected) && (!has_sign || std::signbit(value) == std::signbit(expected));
  const double unit = std::fabs(double(expected)) * std::numeric_limits<Type>::epsilon();
  return std::fabs(double(value) - double(expected)) <= tolerance * unit;
}
template <class Type>
bool is_close(std::complex<Type> argument, std::complex<Type> value, std::complex<Type> expected) {
  const bool has_sign = std::isfinite(argument.real()) && std::isfinite(argument.imag());
  return is_close(value.real(), expected.real(), has_sign) && is_close(value.imag(), expected.imag(), has_sign);
}

template <class Type> void print(const char *name, std::complex<Type> z) {
  std::printf("%s(%.9g, %.9g)", name, double(z.real()), double(z.imag()));
}

template <class Type> struct Arguments {
  std::size_t count;
  std::complex<Type> *in, *out;
};

template <class Name, class Type, class Function>
void check(sycl::queue &queue, const Arguments<Type> &all, const char *name, Function function) {
  const std::complex<Type> *in = all.in;
  std::complex<Type> *out = all.out;
  queue.parallel_for<Name>(sycl::range<1>(all.count), [=](sycl::id<1> i) { out[i] = function(in[i]); }).wait();
  for (std::size_t i = 0; i < all.count; ++i) {
    const std::complex<Type> expected = function(in[i]);
    if (!is_close(in[i], out[i], expected)) {
      print(name, in[i]), print(" is ", out[i]), print(", not ", expected);
      std::puts("");
      std::exit(1);
    }
  }
}

// Every combination of these parts.
template <class Type> std::vector<Type> parts() {
  const Type infinity = std::numeric_limits<Type>::infinity(), nan = std::numeric_limits<Type>::quiet_NaN();
  return {infinity,   -infinity,   nan,         Type(0),   Type(-0.0), Type(1),      Type(-2.5), Type(0.1),
          Type(-0.4), Type(0.999), Type(-1),    Type(1.5), Type(7),    Type(1e-3),   Type(40),   Type(-85),
          Type(1e12), Type(1e-12), Type(0.625), Type(3e4), Type(1e-4), Type(-0.7071)};
}

template <int> class Kernel;

template <class Type> int complex_of_c() {
  sycl::queue queue;
  if (sizeof(Type) == 8 && !queue.get_device().has(sycl::aspect::fp64))
    return pass();
  using Number = std::complex<Type>;
  const std::vector<Type> values = parts<Type>();
  const std::size_t length = values.size(), count = length * length;
  const Arguments<Type> all{count, sycl::malloc_shared<Number>(count, queue),
                            sycl::malloc_shared<Number>(count, queue)};
  for (std::size_t i = 0; i < count; ++i)
    all.in[i] = {values[i / length], values[i % length]};
#define CHECK_FUNCTION(number, name)                                                                                 \
  check<Kernel<number>>(queue, all, #name, [](Number z) { return Number(std::name(z)); });
  CHECK_FUNCTION(0, abs)
  CHECK_FUNCTION(1, arg)
  CHECK_FUNCTION(2, norm)
  CHECK_FUNCTION(3, proj)
  CHECK_FUNCTION(4, exp)
  CHECK_FUNCTION(5, log)
  CHECK_FUNCTION(6, sqrt)
  CHECK_FUNCTION(7, sin)
  CHECK_FUNCTION(8, cos)
  CHECK_FUNCTION(9, tan)
  CHECK_FUNCTION(10, sinh)
  CHECK_FUNCTION(11, cosh)
  CHECK_FUNCTION(12, tanh)
  CHECK_FUNCTION(13, asin)
  CHECK_FUNCTION(14, acos)
  CHECK_FUNCTION(15, atan)
  CHECK_FUNCTION(16, asinh)
  CHECK_FUNCTION(17, acosh)
  CHECK_FUNCTION(18, atanh)
  // The errors of powers grow with their logarithms, so the arguments here are few.
  const std::size_t small = 4;
  const Arguments<Type> few{small, all.in, all.out};
  const Number bases[small] = {{1, 2}, {Type(-0.5), Type(0.25)}, {0, 3}, {Type(1.5), Type(-1)}};
  std::copy(bases, bases + small, few.in);
  check<Kernel<20>>(queue, few, "pow", [](Number z) { return std::pow(z, Number(Type(0.5), Type(-1.25))); });
  check<Kernel<21>>(queue, few, "pow of a real", [](Number z) { return std::pow(z, Type(2.5)); });
  check<Kernel<22>>(queue, few, "log10", [](Number z) { return std::log10(z); });
  check<Kernel<23>>(queue, few, "polar", [](Number z) { return std::polar(std::abs(z), std::arg(z)); });
  sycl::free(all.in, queue);
  sycl::free(all.out, queue);
  return pass();
}

#endif
