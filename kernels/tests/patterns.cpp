// Runs f32 functions of the GPU's library, linked as for tests/math.cpp, on bit patterns spread
// over the whole range, and powers. The bounds are the functions' own, all within OpenCL's.
// Subnormal numbers count, and signs of zeros.
//
//   patterns STEP DEVIATION   every STEP-th pattern; DEVIATION as in tests/instructions.hpp
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

// name, bound in units in the last place
#define FUNCTIONS(X)                                                                                                   \
  X(exp, 2.75)                                                                                                         \
  X(exp2, 2.01)                                                                                                        \
  X(exp10, 2.75)                                                                                                       \
  X(expm1, 1.75)                                                                                                       \
  X(log, 1.1)                                                                                                          \
  X(log2, 2.25)                                                                                                        \
  X(log10, 1.75)                                                                                                       \
  X(log1p, 2)                                                                                                          \
  X(erf, 2.25)                                                                                                         \
  X(erfc, 8.5)                                                                                                         \
  X(sin, 1.75)                                                                                                         \
  X(cos, 1.75)                                                                                                         \
  X(tan, 3.75)                                                                                                         \
  X(sinh, 2)                                                                                                           \
  X(cosh, 3.5)                                                                                                         \
  X(tanh, 2.5)                                                                                                         \
  X(cbrt, 1.5)

#define DECLARE(NAME, BOUND) float __nv_##NAME##f(float);
extern "C" {
FUNCTIONS(DECLARE)
float __nv_powf(float, float);
}

struct function {
  const char *name;
  double bound;
  float (*run)(float);
  double (*exact)(double);
};

struct failure {
  double units = 0;
  float x = 0, found = 0;
  double exact = 0;
  float y = 0;
};

// The distance in units in the last place. A zero with the wrong sign, and a number instead of NaN,
// have an infinite distance.
static double distance(float found, double exact) {
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found) ? 0 : HUGE_VAL;
  if (exact == 0 || std::isinf(exact))
    return found == exact && std::signbit(found) == std::signbit(exact) ? 0 : HUGE_VAL;
  if (found == float(exact))
    return 0;
  int exponent = 0;
  std::frexp(exact, &exponent);
  exponent = std::min(std::max(exponent, -125), 128) - 24;
  // The first number beyond f32's range represents infinities and larger values.
  const double limit = std::ldexp(1.0, 128), magnitude = std::min(std::fabs(exact), limit);
  const double value = std::isinf(found) ? std::copysign(limit, found) : found;
  return std::ldexp(std::fabs(value - std::copysign(magnitude, exact)), -exponent);
}

static void measure(const function &f, std::uint64_t first, std::uint64_t step, failure &worst) {
  for (std::uint64_t pattern = first; pattern < std::uint64_t(1) << 32; pattern += step) {
    const std::uint32_t word = std::uint32_t(pattern);
    float x;
    std::memcpy(&x, &word, sizeof x);
    const float found = f.run(x);
    const double exact = f.exact(x), units = distance(found, exact);
    if (units > worst.units)
      worst = {units, x, found, exact, 0};
  }
}

static bool check(const function &f, std::uint64_t step) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<failure> found(workers);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < workers; ++i)
    threads.emplace_back([&, i] { measure(f, i * step, workers * step, found[i]); });
  for (std::thread &thread : threads)
    thread.join();
  const failure worst = *std::max_element(found.begin(), found.end(),
                                          [](const failure &a, const failure &b) { return a.units < b.units; });
  const bool passed = worst.units <= f.bound;
  std::printf("%-6s %7.3f at %a: %a, exactly %a%s\n", f.name, worst.units, worst.x, worst.found, worst.exact,
              passed ? "" : "  FAILED");
  return passed;
}

static void measure_pow(float x, float y, failure &worst) {
  const float found = __nv_powf(x, y);
  const double exact = std::pow(double(x), double(y)), units = distance(found, exact);
  const bool is_signed = std::isnan(exact) || std::signbit(found) == std::signbit(exact);
  if (!is_signed || units > worst.units)
    worst = {is_signed ? units : HUGE_VAL, x, found, exact, y};
}

// All pairs of special values, and numbers whose power has an exponent from -150 to 150.
static bool check_pow(std::uint64_t count) {
  const float inf = HUGE_VALF, huge = 0x1.fffffep127f, odd = 0x1.fffffep23f, near = 0x1.000002p0f;
  const float numbers[] = {0,   1,  2,     3,     0.5f,      1.5f,      8388607.5f, 8388609, 0x1p24f,
                           odd, -odd, inf, huge, 0x1p-149f, 0x1p-126f, near,       1e-30f,  1e10f, std::nanf("")};
  failure worst;
  for (float x : numbers)
    for (float y : numbers)
      for (int signs = 0; signs < 4; ++signs)
        measure_pow(signs & 1 ? -x : x, signs & 2 ? -y : y, worst);
  std::uint64_t state = 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const double part = double(state >> 40) * 0x1p-24, other = double(state >> 16 & 0xffffff) * 0x1p-24;
    const float x = float(i % 2 ? 0.5 + 1.5 * part : std::exp2(part * 250 - 125));
    if (x != 1)
      measure_pow(x, float((other * 300 - 150) / std::log2(double(x))), worst);
  }
  const bool passed = worst.units <= 9;
  std::printf("pow    %7.3f at %a, %a: %a, exactly %a%s\n", worst.units, worst.x, worst.y, worst.found, worst.exact,
              passed ? "" : "  FAILED");
  return passed;
}

#define FUNCTION(NAME, BOUND) {#NAME, BOUND, __nv_##NAME##f, [](double x) -> double { return exact::NAME(x); }},

namespace exact {
using std::exp, std::exp2, std::expm1, std::log, std::log2, std::log10, std::log1p, std::erf, std::erfc, std::sin, std::cos,
    std::tan, std::sinh, std::cosh, std::tanh, std::cbrt;
static double exp10(double x) { return std::pow(10.0, x); }
} // namespace exact

int main(int, char **arguments) {
  const std::uint64_t step = std::strtoull(arguments[1], nullptr, 10);
  instructions::deviation = std::atoi(arguments[2]);
  bool passed = true;
  for (const function &f : std::vector<function>{FUNCTIONS(FUNCTION)})
    passed &= check(f, step);
  passed &= check_pow((std::uint64_t(1) << 32) / step);
  return !passed;
}
