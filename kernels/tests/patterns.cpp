// Runs f32 functions of the GPU's library, linked as for tests/math.cpp, on bit patterns that are spread over all there are. The
// bounds are those that the functions keep; all are within OpenCL's. Subnormal numbers count, and signs of zeros.
//
//   patterns STEP DEVIATION   every STEP-th pattern; DEVIATION as in tests/instructions.hpp
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

// name, bound in units in the last place
#define FUNCTIONS(X)                                                                                                   \
  X(exp, 2.5)                                                                                                          \
  X(exp2, 2.01)                                                                                                        \
  X(exp10, 2.75)                                                                                                       \
  X(expm1, 1.5)                                                                                                        \
  X(log, 1.1)                                                                                                          \
  X(log2, 2)                                                                                                           \
  X(log10, 1.5)                                                                                                        \
  X(log1p, 1.75)                                                                                                       \
  X(erf, 2.25)                                                                                                         \
  X(erfc, 8)                                                                                                           \
  X(sin, 1.6)                                                                                                          \
  X(cos, 1.6)                                                                                                          \
  X(tan, 3.75)                                                                                                         \
  X(sinh, 2)                                                                                                           \
  X(cosh, 3.5)                                                                                                         \
  X(tanh, 2.25)                                                                                                        \
  X(cbrt, 1.5)

#define DECLARE(NAME, BOUND) float __nv_##NAME##f(float);
extern "C" {
FUNCTIONS(DECLARE)
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
};

// The distance in units in the last place. A zero with the wrong sign, and a number instead of none, are infinitely far.
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
  // The first number that f32 does not have stands for infinities, and for what is beyond it.
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
      worst = {units, x, found, exact};
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
  return !passed;
}
