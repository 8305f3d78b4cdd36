// levels: 0 2
// standards: c++17 c++20
//
// Complex numbers in kernels, against std::complex on the host: values and special values.
#define SYCL_EXT_ONEAPI_COMPLEX
#include "../check.hpp"
#include <sycl/sycl.hpp>

#include <sstream>
#include <string>

namespace oneapi = sycl::ext::oneapi::experimental;

static_assert(sycl::is_device_copyable_v<oneapi::complex<float>>);
static_assert(std::is_trivially_copyable_v<oneapi::complex<sycl::half>>);
static_assert(sizeof(oneapi::complex<double>) == 16);
constexpr oneapi::complex<float> constant(1.0f, 2.0f);
static_assert(constant.real() == 1 && constant.imag() == 2 && constant == oneapi::complex<float>(1, 2));

// Parts that are infinite or not a number must be so exactly; C leaves the sign of an infinity open
// beside a part that is not a number. Errors are relative to the magnitude, in units of its last
// place.
template <class Type> bool is_alike(Type value, Type expected, bool signs) {
  if (std::isnan(expected))
    return std::isnan(value);
  return !std::isinf(expected) || (std::isinf(value) && (!signs || std::signbit(value) == std::signbit(expected)));
}
template <class Type> bool is_close(std::complex<Type> value, std::complex<Type> expected, double ulps) {
  if (!std::isfinite(expected.real()) || !std::isfinite(expected.imag())) {
    const bool signs = !std::isnan(expected.real()) && !std::isnan(expected.imag());
    return is_alike(value.real(), expected.real(), signs) && is_alike(value.imag(), expected.imag(), signs);
  }
  const std::complex<double> wide(expected);
  const double scale = std::abs(wide), unit = std::numeric_limits<Type>::epsilon();
  const double error = std::abs(std::complex<double>(value) - wide);
  return error <= ulps * unit * scale + std::numeric_limits<Type>::min();
}

#define FUNCTIONS(of)                                                                                                \
  of(exp) of(log) of(log10) of(sqrt) of(sin) of(cos) of(tan) of(asin) of(acos) of(atan) of(sinh) of(cosh) of(tanh)   \
  of(asinh) of(acosh) of(atanh) of(proj) of(conj)

// Parts of arguments.
template <class Type> std::vector<Type> parts(bool special) {
  const Type infinity = std::numeric_limits<Type>::infinity(), nan = std::numeric_limits<Type>::quiet_NaN();
  if (special)
    return {infinity, -infinity, nan, Type(0), Type(-0.0), Type(1), Type(-2.5)};
  return {Type(0.1), Type(-0.4), Type(0.999), Type(-1), Type(1.5), Type(-3), Type(7), Type(1e-3), Type(40)};
}

template <class Type> void functions(sycl::queue &queue, bool special) {
  const std::vector<Type> values = parts<Type>(special);
  const std::size_t length = values.size(), count = length * length;
  auto *in = sycl::malloc_shared<oneapi::complex<Type>>(count, queue);
  auto *out = sycl::malloc_shared<oneapi::complex<Type>>(count, queue);
  for (std::size_t i = 0; i < count; ++i)
    in[i] = {values[i / length], values[i % length]};
#define CHECK_FUNCTION(name)                                                                                         \
  queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { out[i] = oneapi::name(in[i]); }).wait();            \
  for (std::size_t i = 0; i < count; ++i) {                                                                          \
    const std::complex<Type> argument(in[i]), value(out[i]), expected = std::name(argument);                         \
    if (!is_close(value, expected, 12)) {                                                                            \
      std::printf("%s(%g, %g) is (%.9g, %.9g), not (%.9g, %.9g)\n", #name, double(argument.real()),                  \
                  double(argument.imag()), double(value.real()), double(value.imag()), double(expected.real()),      \
                  double(expected.imag()));                                                                          \
      std::exit(1);                                                                                                  \
    }                                                                                                                \
  }
  FUNCTIONS(CHECK_FUNCTION)
#undef CHECK_FUNCTION
  sycl::free(in, queue);
  sycl::free(out, queue);
}

template <class Type> void arithmetic(sycl::queue &queue) {
  using number = oneapi::complex<Type>;
  auto *out = sycl::malloc_shared<number>(16, queue);
  auto *reals = sycl::malloc_shared<Type>(8, queue);
  queue.single_task([=] {
    number z(Type(3), Type(4)), w(Type(1), Type(-2));
    out[0] = z + w;
    out[1] = z - w;
    out[2] = z * w;
    out[3] = z / w;
    out[4] = Type(2) / w;
    out[5] = z * Type(2) + Type(1);
    out[6] = Type(1) - z;
    z += w;
    z *= Type(2);
    out[7] = -z;
    z = Type(5);
    z /= number(Type(0), Type(1));
    out[8] = z;
    out[9] = oneapi::polar(Type(2), Type(0));
    out[10] = oneapi::pow(number(Type(0), Type(1)), 2);
    out[11] = oneapi::pow(Type(2), number(Type(3)));
    const Type infinity = std::numeric_limits<Type>::infinity();
    out[12] = number(infinity, infinity) * number(Type(1), Type(1));
    reals[0] = oneapi::abs(number(Type(3), Type(-4)));
    reals[1] = oneapi::norm(number(Type(3), Type(4)));
    reals[2] = oneapi::arg(number(Type(0), Type(1)));
    reals[3] = oneapi::real(w) + oneapi::imag(w);
    reals[4] = oneapi::norm(number(infinity, Type(0)));
  }).wait();
  const std::complex<float> expected[] = {{4, 2}, {2, 6}, {11, -2}, {-1, 2}, {.4f, .8f}, {7, 8}, {-2, -4}, {-8, -4},
                                          {0, -5}, {2, 0}, {-1, 0}, {8, 0}};
  for (int i = 0; i < 12; ++i)
    CHECK(std::abs(std::complex<float>(out[i]) - expected[i]) < 0.01f);
  CHECK(std::isinf(float(out[12].imag())));
  CHECK(reals[0] == Type(5) && reals[1] == Type(25) && reals[3] == Type(-1) && std::isinf(float(reals[4])));
  CHECK(std::fabs(float(reals[2]) - 1.5708f) < 0.001f);
  sycl::free(out, queue);
  sycl::free(reals, queue);
}

void arrays(sycl::queue &queue) {
  using number = oneapi::complex<float>;
  using numbers = sycl::marray<number, 3>;
  auto *out = sycl::malloc_shared<numbers>(4, queue);
  auto *reals = sycl::malloc_shared<sycl::marray<float, 3>>(2, queue);
  queue.single_task([=] {
    const numbers zs(number(3, 4), number(0, 1), number(-1, 0));
    out[0] = zs + zs * number(0, 1);
    out[1] = oneapi::conj(zs);
    out[2] = oneapi::polar(sycl::marray<float, 3>(1, 2, 3), 0.0f);
    out[3] = oneapi::pow(zs, 2.0f);
    reals[0] = oneapi::abs(zs);
    reals[1] = oneapi::real(out[3]);
  }).wait();
  CHECK(out[0][0] == number(-1, 7) && out[0][2] == number(-1, -1));
  CHECK(out[1][1] == number(0, -1) && out[2][2] == 3.0f);
  CHECK(reals[0][0] == 5 && std::fabs(reals[1][0] + 7) < 1e-4f && std::fabs(reals[1][1] + 1) < 1e-5f);
  sycl::free(out, queue);
  sycl::free(reals, queue);
}

void host_code() {
  std::stringstream text;
  text << oneapi::complex<double>(1, -2.5);
  CHECK(text.str() == "(1,-2.5)");
  oneapi::complex<float> read;
  text >> read;
  CHECK(read == oneapi::complex<float>(1, -2.5f));
  const std::complex<double> standard = oneapi::complex<float>(3, 4);
  CHECK(oneapi::complex<double>(standard) == oneapi::complex<double>(3, 4));
  static_assert(std::is_same_v<decltype(oneapi::pow(read, 2.0)), oneapi::complex<double>>);
  static_assert(std::is_same_v<decltype(oneapi::real(3)), double>);
}

int main() {
  sycl::queue queue;
  host_code();
  for (bool special : {false, true}) {
    functions<float>(queue, special);
    if (queue.get_device().has(sycl::aspect::fp64))
      functions<double>(queue, special);
  }
  arithmetic<float>(queue);
  arithmetic<sycl::half>(queue);
  if (queue.get_device().has(sycl::aspect::fp64))
    arithmetic<double>(queue);
  arrays(queue);
  return pass();
}
