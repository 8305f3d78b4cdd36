// Measures the errors of the functions for vector code, one lane at a time. Linked by
// tests/lanes.rs with the library.
//
//   lanes COUNT [NAME]   COUNT bit patterns spread over the whole range, and as many numbers of the
//                        interval that matters, near zero, near 1 and beside special ones, for each
//                        function and type, or those of one function
//
// A bound is that of the table of builtins or a stricter one of ours. Subnormal numbers count, and
// signs of zeros.
#include "../../tests/gpu/ulp.hpp"
#include <cstdlib>
#include <string>

using ulp::no_bound;
using f32 = float;
using f64 = double;

// Weak: functions of the table that the library lacks are not measured.
#define DECLARE1(NAME, ...)                                                                                            \
  [[gnu::weak]] f32 __sinter_lanes_##NAME##f(f32);                                                                     \
  [[gnu::weak]] f64 __sinter_lanes_##NAME(f64);
#define DECLARE2(NAME, ...)                                                                                            \
  [[gnu::weak]] f32 __sinter_lanes_##NAME##f(f32, f32);                                                                \
  [[gnu::weak]] f64 __sinter_lanes_##NAME(f64, f64);
extern "C" {
ULP_UNARY(DECLARE1)
ULP_BINARY(DECLARE2)
f32 __sinter_lanes_ldexpf(f32, int);
f64 __sinter_lanes_ldexp(f64, int);
f32 __sinter_lanes_frexpf(f32, int *);
f64 __sinter_lanes_frexp(f64, int *);
int __sinter_lanes_ilogbf(f32);
int __sinter_lanes_ilogb(f64);
void __sinter_lanes_sincosf(f32, f32 *, f32 *);
void __sinter_lanes_sincos(f64, f64 *, f64 *);
}

namespace {

// Ours, in units in the last place; of the others the bound is that of the table, but at most this.
constexpr double usual = 2;
struct bound {
  const char *name;
  double units;
};
constexpr bound looser[] = {
    {"acosh", 2.5}, {"asin", 2.5},  {"asinh", 2.5}, {"atan", 2.5}, {"atan2", 2.5}, {"atanh", 2.5}, {"cos", 2.5},
    {"erf", 3},     {"erfc", 8},    {"log10", 2.5}, {"log2", 2.5}, {"pow", 2.5},   {"sin", 2.5},   {"sinh", 2.5},
    {"tan", 3.5},   {"tanh", 3}};

double bound_of(const char *name, double table) {
  for (const bound &ours : looser)
    if (std::string(name) == ours.name)
      return std::min(ours.units, table);
  return table == 0 ? 0.5 : std::min(usual, table);
}

template <class T> using wide = ulp::wider<T>;

template <class T> double distance(T found, wide<T> exact) {
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found) ? 0 : ulp::no_bound;
  if (exact == 0 || std::isinf(exact))
    return found == T(exact) && std::signbit(found) == std::signbit(exact) ? 0 : ulp::no_bound;
  if (found == T(exact))
    return 0;
  if (found == 0 && std::signbit(found) != std::signbit(exact))
    return ulp::no_bound;
  return ulp::distance<T>(found, exact);
}

template <class T> struct failure {
  double units = 0;
  T x = 0, y = 0, found = 0;
  wide<T> exact = 0;

  void add(T at, T other, T result, wide<T> expected) {
    const double distant = distance<T>(result, expected);
    if (distant > units)
      *this = {distant, at, other, result, expected};
  }
};

bool passed = true;
std::uint64_t count = 0;
std::size_t functions = 0;

template <class T> void report(const char *name, double bound, const failure<T> &worst) {
  const bool is_right = worst.units <= bound;
  passed &= is_right;
  ++functions;
  std::printf("%-9s %s %7.3f at %a, %a: %a, exactly %a%s\n", name, sizeof(T) == 4 ? "f32" : "f64", worst.units,
              double(worst.x), double(worst.y), double(worst.found), double(worst.exact), is_right ? "" : "  FAILED");
  std::fflush(stdout);
}

// The worst result of `measure(first, step, worst)` on all cores.
template <class T, class Measure> failure<T> on_all_cores(Measure measure) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<failure<T>> found(workers);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < workers; ++i)
    threads.emplace_back([&, i] { measure(i, workers, found[i]); });
  for (std::thread &thread : threads)
    thread.join();
  return *std::max_element(found.begin(), found.end(),
                           [](const failure<T> &a, const failure<T> &b) { return a.units < b.units; });
}

template <class T> T of_bits(ulp::bits_of<T> bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
}

template <class T> T pattern(std::uint64_t i) {
  using bits = ulp::bits_of<T>;
  const bits step = bits(-1) / bits(count) | 1;
  return of_bits<T>(bits(i) * step);
}
double portion(std::uint64_t i) { return double(ulp::mix(i) >> 11) * 0x1p-53; }

// Numbers around which functions change, and how to make others close to them.
template <class T> std::vector<T> special_numbers() {
  using limits = std::numeric_limits<T>;
  std::vector<T> numbers = {0, limits::denorm_min(), limits::min(), limits::max(), limits::infinity(),
                            limits::quiet_NaN(), limits::epsilon(), 1, 2, 3, T(0.5), T(1.5), 10,
                            T(1 / limits::epsilon()), T(2 / limits::epsilon()), T(1 / limits::epsilon() + 1),
                            T(0.41421356), T(2.41421356), T(0.7071067811865476), T(1.5707963267948966),
                            T(0.75), T(88.7), T(709.78), T(1e10), T(3e-5)};
  for (std::size_t i = numbers.size(); i-- > 0;)
    numbers.push_back(-numbers[i]);
  return numbers;
}
template <class T> T beside(T x, std::uint64_t random) {
  ulp::bits_of<T> bits;
  std::memcpy(&bits, &x, sizeof bits);
  return of_bits<T>(ulp::bits_of<T>(bits + random % 65 - 32));
}

template <class T, class Run, class Exact>
void one(const char *name, double bound, double low, double high, Run run, Exact exact) {
  const std::vector<T> special = special_numbers<T>();
  const auto check = [&](T x, failure<T> &worst) {
    worst.add(x, 0, run(x), bound == 0 ? wide<T>(exact(x)) : exact(wide<T>(x)));
  };
  report<T>(name, bound_of(name, bound), on_all_cores<T>([&](std::uint64_t first, std::uint64_t step, failure<T> &worst) {
              for (std::uint64_t i = first; i < count; i += step) {
                check(pattern<T>(i), worst);
                check(T(low + (high - low) * portion(i)), worst);
                // As many numbers of each size near zero and near 1.
                const T size = std::ldexp(T(1 + portion(i + 1)), -int(i % 60)), sign = i & 64 ? T(-1) : T(1);
                check(sign * size, worst);
                check(T(1) + sign * size / 2, worst);
                check(beside(special[i % special.size()], ulp::mix(i)), worst);
              }
              for (T x : special)
                check(x, worst);
            }));
}

template <class T, class Run, class Exact>
void two(const char *name, double bound, double low, double high, Run run, Exact exact) {
  const std::vector<T> special = special_numbers<T>();
  const auto check = [&](T x, T y, failure<T> &worst) {
    worst.add(x, y, run(x, y), bound == 0 ? wide<T>(exact(x, y)) : exact(wide<T>(x), wide<T>(y)));
  };
  report<T>(name, bound_of(name, bound), on_all_cores<T>([&](std::uint64_t first, std::uint64_t step, failure<T> &worst) {
              for (std::uint64_t i = first; i < count; i += step) {
                const T x = T(low + (high - low) * portion(i)), y = T(low + (high - low) * portion(i + count));
                check(pattern<T>(ulp::mix(i)), pattern<T>(ulp::mix(i + 1)), worst);
                check(x, y, worst);
                check(pattern<T>(i), y, worst);
                check(x, beside(x, ulp::mix(i)), worst);
                // A base near 1, or of any size, with an exponent that keeps the result in range.
                const T base = i & 1 ? T(1 + std::ldexp(portion(i + 2) - 0.5, -int(i % 24))) : std::fabs(pattern<T>(i));
                const T power = T((portion(i + 3) * 2 - 1) * std::numeric_limits<T>::max_exponent / std::log2(double(base)));
                check(base, power, worst);
              }
              for (T x : special)
                for (T y : special)
                  check(x, y, worst);
            }));
}

// The functions that are not of one or two numbers, by type.
template <class T> struct others;
template <> struct others<f32> {
  static constexpr auto ldexp = __sinter_lanes_ldexpf;
  static constexpr auto frexp = __sinter_lanes_frexpf;
  static constexpr auto ilogb = __sinter_lanes_ilogbf;
  static constexpr auto sincos = __sinter_lanes_sincosf;
  static constexpr auto sin = __sinter_lanes_sinf, cos = __sinter_lanes_cosf;
};
template <> struct others<f64> {
  static constexpr auto ldexp = __sinter_lanes_ldexp;
  static constexpr auto frexp = __sinter_lanes_frexp;
  static constexpr auto ilogb = __sinter_lanes_ilogb;
  static constexpr auto sincos = __sinter_lanes_sincos;
  static constexpr auto sin = __sinter_lanes_sin, cos = __sinter_lanes_cos;
};

template <class T> void ldexps() {
  failure<T> worst;
  for (T x : special_numbers<T>())
    for (int n = -2200; n <= 2200; ++n)
      worst.add(x, T(n), others<T>::ldexp(x, n), wide<T>(std::ldexp(x, n)));
  for (std::uint64_t i = 0; i < count; ++i) {
    const T x = pattern<T>(i);
    const int n = i % 2 ? int(ulp::mix(i) % 4400) - 2200 : int(ulp::mix(i));
    worst.add(x, T(n), others<T>::ldexp(x, n), wide<T>(std::ldexp(x, n)));
  }
  report<T>("ldexp", 0, worst);
}

// Exact: both results of frexp, the exponent as a number, and those of sincos as sin and cos have
// them.
template <class T> void parts() {
  failure<T> split, exponent, waves;
  const auto check = [&](T x) {
    int found = 0, exact = 0;
    const T fraction = others<T>::frexp(x, &found), expected = std::frexp(x, &exact);
    split.add(x, 0, fraction, wide<T>(expected));
    if (std::isfinite(x))
      split.add(x, 1, T(found), wide<T>(T(exact)));
    exponent.add(x, 0, T(others<T>::ilogb(x)), wide<T>(T(std::ilogb(x))));
    T sine, cosine;
    others<T>::sincos(x, &sine, &cosine);
    waves.add(x, 0, sine, wide<T>(others<T>::sin(x)));
    waves.add(x, 1, cosine, wide<T>(others<T>::cos(x)));
  };
  for (T x : special_numbers<T>())
    check(x);
  for (std::uint64_t i = 0; i < count; ++i)
    check(pattern<T>(i));
  report<T>("frexp", 0, split);
  report<T>("ilogb", 0, exponent);
  report<T>("sincos", 0, waves);
}

bool is_chosen(const char *name, const char *only) { return only == nullptr || std::strcmp(name, only) == 0; }

} // namespace

#define MEASURE1(NAME, BOUND, LOW, HIGH)                                                                               \
  if (is_chosen(#NAME, only) && __sinter_lanes_##NAME != nullptr && __sinter_lanes_##NAME##f != nullptr) {             \
    const auto exact = [](auto x) { return ulp::reference::NAME(x); };                                                 \
    one<f32>(#NAME, BOUND, LOW, HIGH, __sinter_lanes_##NAME##f, exact);                                                \
    one<f64>(#NAME, BOUND, LOW, HIGH, __sinter_lanes_##NAME, exact);                                                   \
  }
#define MEASURE2(NAME, BOUND, LOW, HIGH)                                                                               \
  if (is_chosen(#NAME, only) && __sinter_lanes_##NAME != nullptr && __sinter_lanes_##NAME##f != nullptr) {             \
    const auto exact = [](auto x, auto y) { return ulp::reference::NAME(x, y); };                                      \
    two<f32>(#NAME, BOUND, LOW, HIGH, __sinter_lanes_##NAME##f, exact);                                                \
    two<f64>(#NAME, BOUND, LOW, HIGH, __sinter_lanes_##NAME, exact);                                                   \
  }

int main(int argc, char **argv) {
  count = std::strtoull(argv[1], nullptr, 10);
  const char *only = argc > 2 ? argv[2] : nullptr;
  ULP_UNARY(MEASURE1)
  ULP_BINARY(MEASURE2)
  if (is_chosen("ldexp", only)) {
    ldexps<f32>();
    ldexps<f64>();
  }
  if (is_chosen("parts", only)) {
    parts<f32>();
    parts<f64>();
  }
  std::printf("%zu functions\n", functions);
  return !passed;
}
