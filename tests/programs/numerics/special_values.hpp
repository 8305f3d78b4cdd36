// The results that C's Annex F gives for special arguments, and section 7.5.1 of the OpenCL 3.0
// specification for functions that C does not have: zeros of either sign, infinities, NaN,
// subnormal numbers, poles and limits of domains.
//
// A result is exact, with its sign, unless the table says `close`.
#ifndef PROGRAMS_NUMERICS_SPECIAL_VALUES_HPP
#define PROGRAMS_NUMERICS_SPECIAL_VALUES_HPP

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "../check.hpp"
#include "../subnormals.hpp"

template <class Type> struct limits {
  static constexpr int digits = std::numeric_limits<Type>::digits, lowest = std::numeric_limits<Type>::min_exponent;
  static double tiny() { return std::ldexp(1.0, lowest - digits); }
  // Near the smallest normal number.
  static double small() { return std::ldexp(1.5, lowest - 1); }
  static double largest() { return std::ldexp(2 - std::ldexp(1.0, 1 - digits), 2 - lowest); }
  static double above_one() { return 1 + std::ldexp(1.0, 1 - digits); }
  static double below_one() { return 1 - std::ldexp(1.0, -digits); }
};

constexpr double inf = HUGE_VAL, NaN = NAN;
constexpr double pi = 3.14159265358979323846;

struct result {
  double value;
  bool is_close = false;
  result(double value) : value(value) {}
  result(double value, bool is_close) : value(value), is_close(is_close) {}
};
inline result close(double value) { return {value, true}; }

// Arguments, of which a function takes the first ones or the first and the whole number.
struct row {
  double x, y, z;
  int n;
  result expected;
};
inline row of(double x, result expected) { return {x, 0, 0, 0, expected}; }
inline row of(double x, double y, result expected) { return {x, y, 0, 0, expected}; }
inline row of(double x, double y, double z, result expected) { return {x, y, z, 0, expected}; }
inline row of_whole(double x, int n, result expected) { return {x, 0, 0, n, expected}; }

template <class Type> double widened(Type x) {
  if constexpr (sizeof(Type) == 2)
    return static_cast<float>(x);
  else
    return x;
}

template <class Type> bool is_right(double found, const result &wanted) {
  if (std::isnan(wanted.value) || std::isnan(found))
    return std::isnan(wanted.value) && std::isnan(found);
  if (wanted.is_close)
    return std::fabs(found - wanted.value) <= std::fabs(wanted.value) * std::ldexp(6.0, -limits<Type>::digits);
  return found == wanted.value && std::signbit(found) == std::signbit(wanted.value);
}

template <class Type> class tester {
public:
  explicit tester(sycl::queue &queue) : queue(queue), rows(sycl::malloc_shared<arguments>(most, queue)) {}
  ~tester() { sycl::free(rows, queue); }
  tester(const tester &) = delete;

  // Computes all rows on the device, and prints each that is wrong.
  template <class Function> void operator()(const char *name, Function function, std::initializer_list<row> table) {
    CHECK(table.size() <= most);
    std::size_t count = 0;
    for (const row &wanted : table)
      rows[count++] = {Type(wanted.x), Type(wanted.y), Type(wanted.z), wanted.n, Type(0)};
    arguments *const all = rows;
    queue.parallel_for(count, [=](sycl::id<1> i) {
      arguments &at = all[i];
      at.found = Type(function(at.x, at.y, at.z, at.n));
    }).wait();
    count = 0;
    for (const row &wanted : table)
      judge(name, wanted, widened(rows[count++].found));
  }

  int end() const { return wrong == 0 ? pass() : 1; }

private:
  static constexpr std::size_t most = 64;
  struct arguments {
    Type x, y, z;
    int n;
    Type found;
  };

  void judge(const char *name, const row &wanted, double found) {
    if (is_right<Type>(found, wanted.expected) || may_flush(wanted))
      return;
    ++wrong;
    std::printf("%s(%a, %a, %a, %d) is %a, not %a\n", name, wanted.x, wanted.y, wanted.z, wanted.n, found,
                wanted.expected.value);
  }

  // True if a subnormal number occurs, which a device without `fp_config::denorm` takes for zero.
  bool may_flush(const row &wanted) const {
    if (sizeof(Type) != sizeof(float) || keeps_subnormals(queue.get_device()))
      return false;
    const double numbers[] = {wanted.x, wanted.y, wanted.z, wanted.expected.value};
    return std::any_of(std::begin(numbers), std::end(numbers),
                       [](double number) { return number != 0 && std::fabs(number) < FLT_MIN; });
  }

  sycl::queue &queue;
  arguments *rows;
  int wrong = 0;
};

#define OF(...) [](Type x, [[maybe_unused]] Type y, [[maybe_unused]] Type z, [[maybe_unused]] int n) { __VA_ARGS__ }
#define TEST_1(name, ...) test(#name, OF(return sycl::name(x);), {__VA_ARGS__})
#define TEST_2(name, ...) test(#name, OF(return sycl::name(x, y);), {__VA_ARGS__})
#define TEST_3(name, ...) test(#name, OF(return sycl::name(x, y, z);), {__VA_ARGS__})
#define TEST_WHOLE(name, ...) test(#name, OF(return sycl::name(x, n);), {__VA_ARGS__})
#define ODD(x, y) of(x, y), of(-(x), -(y))
#define EVEN(x, y) of(x, y), of(-(x), y)
#define ODD_CLOSE(x, y) of(x, close(y)), of(-(x), close(-(y)))

template <class Type> void inverse_angles(tester<Type> &test) {
  using l = limits<Type>;
  const double above = l::above_one();
  TEST_1(acos, of(1, 0.0), EVEN(above, NaN), EVEN(inf, NaN), of(NaN, NaN), of(-1, close(pi)), EVEN(0.0, close(pi / 2)));
  TEST_1(acospi, of(1, 0.0), of(-1, 1), EVEN(0.0, 0.5), EVEN(above, NaN), EVEN(inf, NaN), of(NaN, NaN));
  TEST_1(asin, ODD(0.0, 0.0), EVEN(above, NaN), EVEN(inf, NaN), of(NaN, NaN), ODD_CLOSE(1, pi / 2));
  TEST_1(asinpi, ODD(0.0, 0.0), ODD(1, 0.5), EVEN(above, NaN), EVEN(inf, NaN), of(NaN, NaN));
  TEST_1(atan, ODD(0.0, 0.0), ODD(l::tiny(), l::tiny()), ODD_CLOSE(inf, pi / 2), of(NaN, NaN));
  TEST_1(atanpi, ODD(0.0, 0.0), ODD(inf, 0.5), ODD_CLOSE(1, 0.25), of(NaN, NaN));
  TEST_2(atan2, of(0.0, -0.0, close(pi)), of(-0.0, -0.0, close(-pi)), of(0.0, 0.0, 0.0), of(-0.0, 0.0, -0.0),
         of(0.0, -1, close(pi)), of(-0.0, -1, close(-pi)), of(0.0, 1, 0.0), of(-0.0, 1, -0.0),
         of(-1, 0.0, close(-pi / 2)), of(-1, -0.0, close(-pi / 2)), of(1, 0.0, close(pi / 2)),
         of(1, -0.0, close(pi / 2)), of(1, -inf, close(pi)), of(-1, -inf, close(-pi)), of(1, inf, 0.0),
         of(-1, inf, -0.0), of(inf, 1, close(pi / 2)), of(-inf, -1, close(-pi / 2)), of(inf, -inf, close(3 * pi / 4)),
         of(-inf, -inf, close(-3 * pi / 4)), of(inf, inf, close(pi / 4)), of(-inf, inf, close(-pi / 4)),
         of(NaN, 1, NaN), of(1, NaN, NaN), of(NaN, inf, NaN));
  TEST_2(atan2pi, of(0.0, -0.0, 1), of(-0.0, -0.0, -1), of(0.0, 0.0, 0.0), of(-0.0, 0.0, -0.0), of(0.0, -1, 1),
         of(-0.0, -1, -1), of(0.0, 1, 0.0), of(-0.0, 1, -0.0), of(-1, 0.0, -0.5), of(-1, -0.0, -0.5), of(1, 0.0, 0.5),
         of(1, -0.0, 0.5), of(1, -inf, 1), of(-1, -inf, -1), of(1, inf, 0.0), of(-1, inf, -0.0), of(inf, 1, 0.5),
         of(-inf, -1, -0.5), of(inf, -inf, 0.75), of(-inf, -inf, -0.75), of(inf, inf, 0.25), of(-inf, inf, -0.25),
         of(NaN, 1, NaN), of(1, NaN, NaN));
}

template <class Type> void angles(tester<Type> &test) {
  using l = limits<Type>;
  const double even = std::ldexp(1.0, l::digits), large = l::largest(), tiny = l::tiny();
  TEST_1(sin, ODD(0.0, 0.0), ODD(tiny, tiny), EVEN(inf, NaN), of(NaN, NaN), of(large,
         close(double(std::sin((long double)large)))),
         of(even, close(std::sin(even))));
  TEST_1(cos, EVEN(0.0, 1), EVEN(tiny, 1), EVEN(inf, NaN), of(NaN, NaN), of(large,
         close(double(std::cos((long double)large)))),
         of(even, close(std::cos(even))));
  TEST_1(tan, ODD(0.0, 0.0), ODD(tiny, tiny), EVEN(inf, NaN), of(NaN, NaN), of(large,
         close(double(std::tan((long double)large)))),
         of(even, close(std::tan(even))));
  TEST_1(sinpi, ODD(0.0, 0.0), ODD(1, 0.0), ODD(2, 0.0), ODD(3, 0.0), ODD(0.5, 1), ODD(1.5, -1), ODD(even, 0.0),
         ODD(large, 0.0), EVEN(inf, NaN), of(NaN, NaN));
  TEST_1(cospi, EVEN(0.0, 1), EVEN(0.5, 0.0), EVEN(1.5, 0.0), EVEN(1, -1), EVEN(2, 1), EVEN(even - 1, -1), EVEN(large,
         1),
         EVEN(inf, NaN), of(NaN, NaN));
  TEST_1(tanpi, ODD(0.0, 0.0), ODD(1, -0.0), ODD(2, 0.0), ODD(3, -0.0), ODD(0.5, inf), ODD(1.5, -inf), ODD(2.5, inf),
         ODD(large, 0.0), ODD_CLOSE(0.25, 1), EVEN(inf, NaN), of(NaN, NaN));
  test("sincos", OF(Type cosine; return sycl::sincos(x, &cosine);), {ODD(0.0, 0.0), EVEN(inf, NaN), of(NaN, NaN)});
  test("sincos, cosine", OF(Type cosine; sycl::sincos(x, &cosine); return cosine;),
       {EVEN(0.0, 1), EVEN(inf, NaN), of(NaN, NaN)});
}

template <class Type> void hyperbolic(tester<Type> &test) {
  using l = limits<Type>;
  const double large = l::largest(), tiny = l::tiny();
  TEST_1(acosh, of(1, 0.0), of(l::below_one(), NaN), of(0.0, NaN), of(-1, NaN), of(-inf, NaN), of(inf, inf), of(NaN,
         NaN));
  TEST_1(asinh, ODD(0.0, 0.0), ODD(tiny, tiny), ODD(inf, inf), of(NaN, NaN));
  TEST_1(atanh, ODD(0.0, 0.0), ODD(tiny, tiny), ODD(1, inf), EVEN(l::above_one(), NaN), EVEN(inf, NaN), of(NaN, NaN));
  TEST_1(cosh, EVEN(0.0, 1), EVEN(tiny, 1), EVEN(inf, inf), EVEN(large, inf), of(NaN, NaN));
  TEST_1(sinh, ODD(0.0, 0.0), ODD(tiny, tiny), ODD(inf, inf), ODD(large, inf), of(NaN, NaN));
  TEST_1(tanh, ODD(0.0, 0.0), ODD(tiny, tiny), ODD(inf, 1), ODD(large, 1), of(NaN, NaN));
}

template <class Type> void exponentials(tester<Type> &test) {
  using l = limits<Type>;
  const double large = l::largest(), tiny = l::tiny();
#define EXPONENTIAL(name) \
  TEST_1(name, EVEN(0.0, 1), EVEN(tiny, 1), of(-inf, 0.0), of(inf, inf), of(large, inf), of(-large, 0.0), of(NaN, NaN))
  EXPONENTIAL(exp);
  EXPONENTIAL(exp2);
  EXPONENTIAL(exp10);
  TEST_1(expm1, ODD(0.0, 0.0), ODD(tiny, tiny), of(-inf, -1), of(inf, inf), of(-large, -1), of(large, inf), of(NaN,
         NaN));
#define LOGARITHM(name) \
  TEST_1(name, EVEN(0.0, -inf), of(1, 0.0), of(-1, NaN), of(-tiny, NaN), of(-inf, NaN), of(inf, inf), of(NaN, NaN))
  LOGARITHM(log);
  LOGARITHM(log2);
  LOGARITHM(log10);
  TEST_1(log1p, ODD(0.0, 0.0), ODD(tiny, tiny), of(-1, -inf), of(-2, NaN), of(-inf, NaN), of(inf, inf), of(NaN, NaN));
  TEST_1(logb, EVEN(0.0, -inf), EVEN(inf, inf), of(1, 0.0), of(-8, 3), of(tiny, l::lowest - l::digits), of(NaN, NaN));
}

// The cases of pow that powr does not have are those below zero, and of 1 and 0.
template <class Type> void powers(tester<Type> &test) {
  TEST_2(pow, of(0.0, -1, inf), of(-0.0, -1, -inf), of(-0.0, -3, -inf), of(0.0, -2, inf), of(-0.0, -2, inf),
         of(-0.0, -0.5, inf), of(0.0, -inf, inf), of(-0.0, -inf, inf), of(0.0, 3, 0.0), of(-0.0, 3, -0.0),
         of(-0.0, 2, 0.0), of(-0.0, 0.5, 0.0), of(-0.0, inf, 0.0), of(-1, inf, 1), of(-1, -inf, 1), of(1, NaN, 1),
         of(1, inf, 1), of(1, -2, 1), of(NaN, 0.0, 1), of(NaN, -0.0, 1), of(inf, 0.0, 1), of(-2, -0.0, 1),
         of(0.0, 0.0, 1), of(-2, 0.5, NaN), of(-inf, 0.5, inf), of(0.5, -inf, inf), of(-0.5, -inf, inf),
         of(2, -inf, 0.0), of(-2, -inf, 0.0), of(0.5, inf, 0.0), of(-0.5, inf, 0.0), of(2, inf, inf), of(-2, inf, inf),
         of(-inf, -3, -0.0), of(-inf, -2, 0.0), of(-inf, -0.5, 0.0), of(-inf, 3, -inf), of(-inf, 2, inf),
         of(inf, -1, 0.0), of(inf, 1, inf), of(NaN, 1, NaN), of(2, NaN, NaN), of(-2, 3, close(-8)), of(-1, 3, -1),
         of(-2, limits<Type>::largest(), inf), of(NaN, NaN, NaN));
  TEST_2(powr, of(2, 0.0, 1), of(2, -0.0, 1), of(0.0, -1, inf), of(-0.0, -1, inf), of(0.0, -inf, inf), of(0.0, 2, 0.0),
         of(-0.0, 3, 0.0), of(1, 5, 1), of(1, -5, 1), of(-1, 2, NaN), of(-inf, 2, NaN), of(0.0, 0.0, NaN),
         of(-0.0, 0.0, NaN), of(inf, 0.0, NaN), of(inf, -0.0, NaN), of(1, inf, NaN), of(1, -inf, NaN), of(2, NaN, NaN),
         of(1, NaN, NaN), of(0.0, NaN, NaN), of(NaN, 0.0, NaN), of(NaN, 1, NaN), of(inf, 1, inf), of(inf, -1, 0.0),
         of(2, inf, inf), of(2, -inf, 0.0), of(0.5, inf, 0.0), of(0.5, -inf, inf));
  TEST_WHOLE(pown, of_whole(NaN, 0, 1), of_whole(inf, 0, 1), of_whole(0.0, 0, 1), of_whole(0.0, -1, inf),
             of_whole(-0.0, -1, -inf), of_whole(-0.0, -2, inf), of_whole(0.0, 3, 0.0), of_whole(-0.0, 3, -0.0),
             of_whole(-0.0, 2, 0.0), of_whole(-inf, 3, -inf), of_whole(-inf, 2, inf), of_whole(-inf, -3, -0.0),
             of_whole(inf, -1, 0.0), of_whole(-1, INT_MAX, close(-1)), of_whole(-1, INT_MIN, close(1)),
             of_whole(2, INT_MAX, inf), of_whole(-2, INT_MAX, -inf), of_whole(2, INT_MIN, 0.0), of_whole(NaN, 1, NaN),
             of_whole(-2, 3, close(-8)));
  TEST_WHOLE(rootn, of_whole(0.0, -1, inf), of_whole(-0.0, -1, -inf), of_whole(0.0, -3, inf), of_whole(-0.0, -3, -inf),
             of_whole(-0.0, -2, inf), of_whole(-0.0, 2, 0.0), of_whole(0.0, 2, 0.0), of_whole(0.0, 3, 0.0),
             of_whole(-0.0, 3, -0.0), of_whole(-2, 2, NaN), of_whole(-inf, 2, NaN), of_whole(2, 0, NaN), of_whole(NaN,
                      0, NaN),
             of_whole(inf, 0, NaN), of_whole(0.0, 0, NaN), of_whole(inf, 2, inf), of_whole(inf, 3, inf),
             of_whole(-inf, 3, -inf), of_whole(inf, -2, 0.0), of_whole(-inf, -3, -0.0), of_whole(NaN, 3, NaN),
             of_whole(-8, 3, close(-2)), of_whole(4, 2, close(2)), of_whole(4, -2, close(0.5)), of_whole(1, INT_MAX, 1),
             of_whole(-1, INT_MAX, -1), of_whole(2, INT_MIN, close(std::pow(2.0, 1.0 / INT_MIN))), of_whole(0.5, 1,
                      close(0.5)),
             of_whole(limits<Type>::small(), 1, close(limits<Type>::small())),
             of_whole(-limits<Type>::small(), 1, close(-limits<Type>::small())),
             of_whole(1 / limits<Type>::small(), -1, close(limits<Type>::small())));
  TEST_1(sqrt, ODD(0.0, 0.0), of(inf, inf), of(-1, NaN), of(-limits<Type>::tiny(), NaN), of(-inf, NaN), of(NaN, NaN),
         of(4, 2));
  TEST_1(rsqrt, of(0.0, inf), of(inf, 0.0), of(-1, NaN), of(-inf, NaN), of(NaN, NaN), of(4, close(0.5)));
  TEST_1(cbrt, ODD(0.0, 0.0), ODD(inf, inf), ODD_CLOSE(8, 2), of(NaN, NaN));
  TEST_2(hypot, of(inf, NaN, inf), of(NaN, -inf, inf), of(-inf, 1, inf), of(0.0, -0.0, 0.0), of(-0.0, -3, 3), of(NaN,
         1, NaN),
         of(1, NaN, NaN), of(3, 4, close(5)), of(limits<Type>::tiny(), 0.0, limits<Type>::tiny()));
}

template <class Type> void gamma(tester<Type> &test) {
  TEST_1(erf, ODD(0.0, 0.0), ODD(inf, 1), ODD(limits<Type>::largest(), 1), of(NaN, NaN));
  TEST_1(erfc, of(-inf, 2), of(inf, 0.0), EVEN(0.0, 1), of(NaN, NaN));
  TEST_1(lgamma, of(1, 0.0), of(2, 0.0), EVEN(0.0, inf), of(-1, inf), of(-2, inf), EVEN(inf, inf), of(NaN, NaN));
  TEST_1(tgamma, ODD(0.0, inf), of(-1, NaN), of(-2, NaN), of(inf, inf), of(-inf, NaN), of(NaN, NaN), of(1, close(1)),
         of(limits<Type>::largest(), inf));
  test("lgamma_r, sign", OF(int sign; sycl::lgamma_r(x, &sign); return static_cast<float>(sign);),
       {of(1, 1), of(0.5, 1), of(-0.5, -1), of(-1.5, 1), of(-2.5, -1), EVEN(0.0, 0.0), of(-1, 0.0), of(-2, 0.0),
           of(inf, 1)});
}

template <class Type> void roundings(tester<Type> &test) {
  const double tiny = limits<Type>::tiny();
  TEST_1(ceil, ODD(0.0, 0.0), ODD(inf, inf), of(-0.5, -0.0), of(0.5, 1), of(tiny, 1), of(-tiny, -0.0), of(NaN, NaN));
  TEST_1(floor, ODD(0.0, 0.0), ODD(inf, inf), of(-0.5, -1), of(0.5, 0.0), of(tiny, 0.0), of(-tiny, -1), of(NaN, NaN));
  TEST_1(rint, ODD(0.0, 0.0), ODD(inf, inf), ODD(0.25, 0.0), ODD(0.5, 0.0), ODD(1.5, 2), ODD(2.5, 2), of(NaN, NaN));
  TEST_1(round, ODD(0.0, 0.0), ODD(inf, inf), ODD(0.25, 0.0), ODD(0.5, 1), ODD(2.5, 3),
         ODD(limits<Type>::below_one() / 2, 0.0), of(NaN, NaN));
  TEST_1(trunc, ODD(0.0, 0.0), ODD(inf, inf), ODD(0.5, 0.0), ODD(1.5, 1), of(NaN, NaN));
  TEST_1(fabs, EVEN(0.0, 0.0), EVEN(inf, inf), EVEN(tiny, tiny), of(NaN, NaN));
  TEST_1(sign, ODD(0.0, 0.0), ODD(inf, 1), ODD(tiny, 1), of(NaN, 0.0));
}

template <class Type> void remainders(tester<Type> &test) {
  const double tiny = limits<Type>::tiny(), large = limits<Type>::largest();
  TEST_2(fmod, of(0.0, 1, 0.0), of(-0.0, 1, -0.0), of(inf, 1, NaN), of(1, 0.0, NaN), of(1, inf, 1), of(-1, -inf, -1),
         of(5, 3, 2), of(-5, 3, -2), of(-3, 3, -0.0), of(5, -3, 2), of(1, tiny, 0.0), of(large, tiny, 0.0), of(NaN, 1,
            NaN),
         of(1, NaN, NaN));
  TEST_2(remainder, of(0.0, 1, 0.0), of(-0.0, 1, -0.0), of(inf, 1, NaN), of(1, 0.0, NaN), of(1, inf, 1), of(-1, inf,
         -1),
         of(5, 3, -1), of(3, 2, -1), of(1, 2, 1), of(-2, 2, -0.0), of(large, tiny, 0.0), of(NaN, 1, NaN), of(1, NaN,
            NaN));
  test("remquo", OF(int part; return sycl::remquo(x, y, &part);),
       {of(-0.0, 1, -0.0), of(inf, 1, NaN), of(1, 0.0, NaN), of(1, inf, 1), of(5, 3, -1), of(-2, 2, -0.0), of(NaN, 1,
           NaN)});
  test("remquo, quotient", OF(int part; sycl::remquo(x, y, &part); return static_cast<float>(part);),
       {of(inf, 1, 0.0), of(1, 0.0, 0.0), of(NaN, 1, 0.0), of(1, NaN, 0.0), of(1, inf, 0.0), of(5, 3, 2), of(-5, 3,
           -2), of(63, 1, 63)});
  TEST_2(fdim, of(1, 2, 0.0), of(2, 1, 1), of(inf, inf, 0.0), of(inf, -inf, inf), of(-inf, inf, 0.0), of(NaN, 1, NaN),
         of(1, NaN, NaN));
}

template <class Type> void parts(tester<Type> &test) {
  using l = limits<Type>;
  const double tiny = l::tiny(), large = l::largest();
  test("fract", OF(Type whole; return sycl::fract(x, &whole);),
       {ODD(0.0, 0.0), ODD(inf, 0.0), of(NaN, NaN), of(1.5, 0.5), of(-0.25, 0.75), of(-tiny, l::below_one()), of(2,
            0.0)});
  test("fract, whole", OF(Type whole; sycl::fract(x, &whole); return whole;),
       {ODD(0.0, 0.0), ODD(inf, inf), of(NaN, NaN), of(-0.25, -1), of(-tiny, -1)});
  test("modf", OF(Type whole; return sycl::modf(x, &whole);),
       {ODD(0.0, 0.0), ODD(inf, 0.0), of(NaN, NaN), ODD(1.5, 0.5), ODD(2, 0.0), ODD(tiny, tiny), ODD(large, 0.0)});
  test("modf, whole", OF(Type whole; sycl::modf(x, &whole); return whole;),
       {ODD(0.0, 0.0), ODD(inf, inf), of(NaN, NaN), ODD(0.5, 0.0), ODD(1.5, 1)});
  test("frexp", OF(int exponent; return sycl::frexp(x, &exponent);),
       {ODD(0.0, 0.0), ODD(inf, inf), of(NaN, NaN), ODD(8, 0.5), ODD(tiny, 0.5), ODD(large, l::below_one())});
  test("frexp, exponent", OF(int exponent; sycl::frexp(x, &exponent); return static_cast<float>(exponent);),
       {EVEN(0.0, 0.0), EVEN(inf, 0.0), of(NaN, 0.0), of(8, 4), of(tiny, l::lowest - l::digits + 1), of(large,
             3 - l::lowest)});
  // half has no INT_MAX.
  test("ilogb", OF(const int found = sycl::ilogb(x);
                   return found == INT_MIN ? -10000.0f : found == INT_MAX ? 10000.0f : static_cast<float>(found);),
       {EVEN(0.0, -10000), EVEN(inf, 10000), of(8, 3), of(tiny, l::lowest - l::digits)});
}

template <class Type> void selections(tester<Type> &test) {
  TEST_2(fmax, of(NaN, 1, 1), of(1, NaN, 1), of(NaN, NaN, NaN), of(-inf, 1, 1), of(inf, 1, inf), of(-inf, NaN, -inf));
  TEST_2(fmin, of(NaN, 1, 1), of(1, NaN, 1), of(NaN, NaN, NaN), of(inf, 1, 1), of(-inf, 1, -inf), of(inf, NaN, inf));
  TEST_2(maxmag, of(-2, 1, -2), of(2, -2, 2), of(NaN, 1, 1), of(-1, NaN, -1), of(-inf, 1, -inf), of(NaN, NaN, NaN));
  TEST_2(minmag, of(-2, 1, 1), of(2, -2, -2), of(NaN, 1, 1), of(-1, NaN, -1), of(-inf, 1, 1), of(NaN, NaN, NaN));
  TEST_2(copysign, of(1, -0.0, -1), of(-0.0, 1, 0.0), of(inf, -1, -inf), of(-1, 0.0, 1));
  TEST_2(step, of(1, 1, 1), of(1, 0.0, 0.0), of(0.0, -0.0, 1), of(-inf, inf, 1));
  TEST_3(smoothstep, of(0.0, 1, -1, 0.0), of(0.0, 1, 2, 1), of(0.0, 1, 0.5, 0.5), of(0.0, 1, -inf, 0.0),
         of(0.0, 1, inf, 1));
  TEST_3(mix, of(1, 3, 0.0, 1), of(1, 3, 0.5, 2), of(1, 3, 1, 3), of(1, 3, NaN, NaN));
  TEST_3(clamp, of(2, 0.0, 1, 1), of(-2, 0.0, 1, 0.0), of(0.5, 0.0, 1, 0.5), of(-inf, 0.0, 1, 0.0), of(inf, 0.0, 1, 1));
}

template <class Type> void exact(tester<Type> &test) {
  using l = limits<Type>;
  const double tiny = l::tiny(), large = l::largest();
  TEST_2(nextafter, of(0.0, 1, tiny), of(-0.0, 1, tiny), of(0.0, -1, -tiny), of(1, inf, l::above_one()),
         of(1, -inf, l::below_one()), of(large, inf, inf), of(inf, 0.0, large), of(-inf, 0.0, -large), of(1, 1, 1),
         of(0.0, -0.0, -0.0), of(-0.0, 0.0, 0.0), of(tiny, 0.0, 0.0), of(-tiny, 0.0, -0.0), of(NaN, 1, NaN), of(1,
            NaN, NaN));
  TEST_WHOLE(ldexp, of_whole(1, INT_MAX, inf), of_whole(-1, INT_MAX, -inf), of_whole(1, INT_MIN, 0.0), of_whole(-1,
             INT_MIN, -0.0),
             of_whole(inf, -5, inf), of_whole(NaN, 1, NaN), of_whole(-0.0, 5, -0.0), of_whole(tiny, 1, 2 * tiny),
             of_whole(2 * tiny, -1, tiny), of_whole(tiny, -1, 0.0), of_whole(3 * tiny, -1, 2 * tiny), of_whole(large,
                      1, inf),
             of_whole(tiny, l::digits - l::lowest, 1), of_whole(0.0, INT_MAX, 0.0));
  TEST_3(fma, of(0.0, inf, 1, NaN), of(inf, 0.0, NaN, NaN), of(inf, 1, -inf, NaN), of(1, 1, -1, 0.0), of(-0.0, 1,
         -0.0, -0.0),
         of(0.0, 1, -0.0, 0.0), of(1, NaN, 1, NaN), of(tiny, 0.5, 0.0, 0.0), of(large, 2, -large, large));
}

template <class Type> int special_values() {
  sycl::queue queue;
  tester<Type> test(queue);
  inverse_angles(test);
  angles(test);
  hyperbolic(test);
  exponentials(test);
  powers(test);
  gamma(test);
  roundings(test);
  remainders(test);
  parts(test);
  selections(test);
  exact(test);
  return test.end();
}

#endif
