// Runs the GPU math functions on the CPU and measures their errors. Linked by tests/math.rs with
// the library, retargeted: its code is target-independent except for a few instructions. Arguments:
// the number of arguments per function, and the deviation of approximate instructions
// (tests/instructions.hpp).
#include "../../tests/gpu/ulp.hpp"
#include <cstdlib>

using ulp::no_bound;
using f32 = float;
using f64 = double;

#define DECLARE1(NAME, ...)                                                                                            \
  f32 __acpp_sscp_##NAME##_f32(f32);                                                                                   \
  f64 __acpp_sscp_##NAME##_f64(f64);
#define DECLARE2(NAME, ...)                                                                                            \
  f32 __acpp_sscp_##NAME##_f32(f32, f32);                                                                              \
  f64 __acpp_sscp_##NAME##_f64(f64, f64);
#define DECLARE3(NAME, ...)                                                                                            \
  f32 __acpp_sscp_##NAME##_f32(f32, int);                                                                              \
  f64 __acpp_sscp_##NAME##_f64(f64, int);
extern "C" {
ULP_UNARY(DECLARE1)
ULP_BINARY(DECLARE2)
ULP_WHOLE(DECLARE3)
}

namespace {

bool passed = true;
std::size_t count = 0;

// Exact functions are their own reference, in the same type.
template <class T> using wide = ulp::wider<T>;
template <class T> struct measurement {
  const char *name;
  double bound;
  ulp::samples<T> in;
  std::vector<T> found;

  measurement(const char *name, double bound, double low, double high)
      : name(name), bound(bound), in(ulp::make<T>(count, low, high)), found(count) {
    ulp::keep_domain(name, in);
  }
  void compare(const std::function<wide<T>(std::size_t)> &exact) {
    passed &= ulp::report<T>("library", name, ulp::compare<T>(found, in, exact), bound);
  }
};

template <class T>
void one(measurement<T> m, T (*run)(T), T (*exact)(T), wide<T> (*reference)(wide<T>)) {
  for (std::size_t i = 0; i < count; ++i)
    m.found[i] = run(m.in.x[i]);
  m.compare([&](std::size_t i) { return m.bound == 0 ? wide<T>(exact(m.in.x[i])) : reference(m.in.x[i]); });
}

template <class T>
void two(measurement<T> m, T (*run)(T, T), T (*exact)(T, T), wide<T> (*reference)(wide<T>, wide<T>)) {
  for (std::size_t i = 0; i < count; ++i)
    m.found[i] = run(m.in.x[i], m.in.y[i]);
  m.compare([&](std::size_t i) {
    return m.bound == 0 ? wide<T>(exact(m.in.x[i], m.in.y[i])) : reference(m.in.x[i], m.in.y[i]);
  });
}

template <class T>
void whole(measurement<T> m, T (*run)(T, int), T (*exact)(T, int), wide<T> (*reference)(wide<T>, int)) {
  for (std::size_t i = 0; i < count; ++i)
    m.found[i] = run(m.in.x[i], m.in.n[i]);
  m.compare([&](std::size_t i) {
    return m.bound == 0 ? wide<T>(exact(m.in.x[i], m.in.n[i])) : reference(m.in.x[i], m.in.n[i]);
  });
}

} // namespace

#define FUNCTIONS1(T, NAME)                                                                                            \
  __acpp_sscp_##NAME##_##T, [](T x) -> T { return ulp::reference::NAME(x); },                                           \
      [](wide<T> x) -> wide<T> { return ulp::reference::NAME(x); }
#define FUNCTIONS2(T, NAME)                                                                                            \
  __acpp_sscp_##NAME##_##T, [](T x, T y) -> T { return ulp::reference::NAME(x, y); },                                   \
      [](wide<T> x, wide<T> y) -> wide<T> { return ulp::reference::NAME(x, y); }
#define FUNCTIONS3(T, NAME)                                                                                            \
  __acpp_sscp_##NAME##_##T, [](T x, int n) -> T { return ulp::reference::NAME(x, n); },                                 \
      [](wide<T> x, int n) -> wide<T> { return ulp::reference::NAME(x, n); }

#define MEASURE1(NAME, ...)                                                                                            \
  one<f32>({#NAME, __VA_ARGS__}, FUNCTIONS1(f32, NAME));                                                               \
  one<f64>({#NAME, __VA_ARGS__}, FUNCTIONS1(f64, NAME));
#define MEASURE2(NAME, ...)                                                                                            \
  two<f32>({#NAME, __VA_ARGS__}, FUNCTIONS2(f32, NAME));                                                               \
  two<f64>({#NAME, __VA_ARGS__}, FUNCTIONS2(f64, NAME));
#define MEASURE3(NAME, ...)                                                                                            \
  whole<f32>({#NAME, __VA_ARGS__}, FUNCTIONS3(f32, NAME));                                                             \
  whole<f64>({#NAME, __VA_ARGS__}, FUNCTIONS3(f64, NAME));

int main(int, char **arguments) {
  count = std::strtoull(arguments[1], nullptr, 10);
#ifdef APPROXIMATE
  instructions::deviation = std::atoi(arguments[2]);
#endif
  ULP_UNARY(MEASURE1)
  ULP_BINARY(MEASURE2)
  ULP_WHOLE(MEASURE3)
  return !passed;
}
