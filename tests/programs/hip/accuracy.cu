// levels: 2
// The functions of float on the device against double on the host: the bounds are those of the CUDA
// C++ Programming Guide, section "Mathematical Functions", in units in the last place. Those of
// asinf, erfcf and expm1f are wider by a half, for vector code of the host CPU, and those of cospif
// and erff for OpenCL, which allows 4 and 16.
#include <cmath>
#include <cstdio>
#include <cstdlib>

constexpr int count = 1 << 13;

// name, call, reference, bound, least and largest argument
#define FUNCTIONS(F)                                                                                                 \
  F(rsqrt, rsqrtf(x), 1 / std::sqrt(a), 2, 1e-30, 1e30)                                                              \
  F(sqrt, sqrtf(x), std::sqrt(a), 0.5, 0, 1e30)                                                                      \
  F(cbrt, cbrtf(x), std::cbrt(a), 1, -1e30, 1e30)                                                                    \
  F(rcbrt, rcbrtf(x), 1 / std::cbrt(a), 2, 1e-30, 1e30)                                                              \
  F(hypot, hypotf(x, y), std::hypot(a, b), 3, -1e15, 1e15)                                                           \
  F(rhypot, rhypotf(x, y), 1 / std::hypot(a, b), 3, 1, 1e15)                                                         \
  F(norm3d, norm3df(x, y, 3), std::sqrt(a *a + b * b + 9), 3, -1e15, 1e15)                                           \
  F(rnorm4d, rnorm4df(x, y, 3, x), 1 / std::sqrt(2 * a * a + b * b + 9), 3, -1e15, 1e15)                             \
  F(exp, expf(x), std::exp(a), 2, -87, 88)                                                                           \
  F(exp2, exp2f(x), std::exp2(a), 2, -125, 127)                                                                      \
  F(exp10, exp10f(x), exp10(a), 2, -37, 38)                                                                          \
  F(expm1, expm1f(x), std::expm1(a), 1.5, -80, 80)                                                                   \
  F(log, logf(x), std::log(a), 1, 1e-30, 1e30)                                                                       \
  F(log2, log2f(x), std::log2(a), 1, 1e-30, 1e30)                                                                    \
  F(log10, log10f(x), std::log10(a), 2, 1e-30, 1e30)                                                                 \
  F(log1p, log1pf(x), std::log1p(a), 1, -0.99, 1e20)                                                                 \
  F(sin, sinf(x), std::sin(a), 2, -1e5, 1e5)                                                                         \
  F(cos, cosf(x), std::cos(a), 2, -1e5, 1e5)                                                                         \
  F(tan, tanf(x), std::tan(a), 4, -1e5, 1e5)                                                                         \
  F(sinpi, sinpif(x), std::sin(M_PI *std::remainder(a, 2)), 2, -100, 100)                                            \
  F(cospi, cospif(x), std::sin(M_PI * (0.5 - std::fabs(std::remainder(a, 2)))), 2.5, -100, 100)                      \
  F(asin, asinf(x), std::asin(a), 2.5, -1, 1)                                                                        \
  F(acos, acosf(x), std::acos(a), 2, -1, 1)                                                                          \
  F(atan, atanf(x), std::atan(a), 2, -1e10, 1e10)                                                                    \
  F(atan2, atan2f(x, y), std::atan2(a, b), 3, -1e10, 1e10)                                                           \
  F(sinh, sinhf(x), std::sinh(a), 3, -87, 87)                                                                        \
  F(cosh, coshf(x), std::cosh(a), 2, -87, 87)                                                                        \
  F(tanh, tanhf(x), std::tanh(a), 2, -20, 20)                                                                        \
  F(asinh, asinhf(x), std::asinh(a), 3, -1e30, 1e30)                                                                 \
  F(acosh, acoshf(x), std::acosh(a), 4, 1, 1e30)                                                                     \
  F(atanh, atanhf(x), std::atanh(a), 3, -1, 1)                                                                       \
  F(pow, powf(fabsf(x), y / 40), std::pow(std::fabs(a), static_cast<double>(y / 40)), 4, -37, 37)                    \
  F(erf, erff(x), std::erf(a), 4, -10, 10)                                                                           \
  F(erfc, erfcf(x), std::erfc(a), 4.5, -9, 9)                                                                        \
  F(erfinv, erfinvf(x), erfinv(a), 2, -1, 1)                                                                         \
  F(erfcinv, erfcinvf(x), erfcinv(a), 4, 0, 2)                                                                       \
  F(erfcx, erfcxf(x), a < 5 ? std::exp(a * a) * std::erfc(a) : erfcx(a), 4, -9, 1e10)                                \
  F(normcdf, normcdff(x), std::erfc(-a *M_SQRT1_2) / 2, 5, -12, 12)                                                  \
  F(normcdfinv, normcdfinvf(x), normcdfinv(a), 5, 0, 1)                                                              \
  F(lgamma, lgammaf(x), std::lgamma(a), 6, 0.01, 1e30)                                                               \
  F(tgamma, tgammaf(x), std::tgamma(a), 5, -30, 34)                                                                  \
  F(j0, j0f(x), ::j0(a), 9, -8, 8)                                                                                   \
  F(j1, j1f(x), ::j1(a), 9, -8, 8)                                                                                   \
  F(y0, y0f(x), ::y0(a), 9, 0, 8)                                                                                    \
  F(y1, y1f(x), ::y1(a), 9, 0.01, 8)                                                                                 \
  F(i0, cyl_bessel_i0f(x), std::cyl_bessel_i(0, std::fabs(a)), 6, -80, 80)                                           \
  F(i1, cyl_bessel_i1f(x), std::copysign(std::cyl_bessel_i(1, std::fabs(a)), a), 6, -80, 80)                         \
  F(fmod, fmodf(x, y), std::fmod(a, b), 0, -1e6, 1e6)                                                                \
  F(remainder, remainderf(x, y), std::remainder(a, b), 0, -1e6, 1e6)                                                 \
  F(fdim, fdimf(x, y), std::fdim(a, b), 0.5, -1e6, 1e6)                                                              \
  F(logb, logbf(x), std::logb(a), 0, 1e-30, 1e30)                                                                    \
  F(ldexp, ldexpf(x, 5), std::ldexp(a, 5), 0, -1e6, 1e6)                                                             \
  F(rint, rintf(x), std::rint(a), 0, -1e6, 1e6)                                                                      \
  F(round, roundf(x), std::round(a), 0, -1e6, 1e6)                                                                   \
  F(fast_sin, __sinf(x), std::sin(a), -0x1p-21, -3.14, 3.14)                                                         \
  F(fast_cos, __cosf(x), std::cos(a), -0x1p-21, -3.14, 3.14)                                                         \
  F(fast_exp, __expf(x), std::exp(a), 2 + 1.173 * std::fabs(a), -80, 80)                                             \
  F(fast_log, __logf(x), std::log(a), 3, 2, 1e30)                                                                    \
  F(fast_log2, __log2f(x), std::log2(a), 2, 2, 1e30)                                                                 \
  F(fast_divide, __fdividef(x, y), a / b, 2, 1, 1e20)                                                                \
  F(fast_frsqrt, __frsqrt_rn(x), 1 / std::sqrt(a), 0.51, 1e-30, 1e30)

enum Function {
#define NAME(name, ...) of_##name,
  FUNCTIONS(NAME)
#undef NAME
      functions
};

template <int Which> __device__ float call(float x, float y) {
#define CALL(name, expression, ...)                                                                                  \
  if constexpr (Which == of_##name)                                                                                  \
    return expression;
  FUNCTIONS(CALL)
#undef CALL
}
template <int Which> __global__ void on_device(const float *x, const float *y, float *out) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = call<Which>(x[i], y[i]);
}

struct Row {
  const char *name;
  void (*kernel)(const float *, const float *, float *);
  double (*reference)(double a, double b, float x, float y), (*bound)(double a);
  double least, largest;
};
static const Row rows[] = {
#define ROW(name, expression, reference, bound, least, largest)                                                      \
  {#name,                                                                                                            \
   on_device<of_##name>,                                                                                             \
   [](double a, double b, float x, float y) -> double {                                                              \
     (void)a, (void)b, (void)x, (void)y;                                                                             \
     return reference;                                                                                               \
   },                                                                                                                \
   [](double a) -> double {                                                                                          \
     (void)a;                                                                                                        \
     return bound;                                                                                                   \
   },                                                                                                                \
   least,                                                                                                            \
   largest},
    FUNCTIONS(ROW)
#undef ROW
};

// Half of the arguments are spread evenly, half over the exponents.
static float argument(const Row &row, int i) {
  const double part = (std::rand() + 0.5) / (RAND_MAX + 1.0);
  if (i % 2 == 0)
    return static_cast<float>(row.least + part * (row.largest - row.least));
  for (;;) {
    const double size = std::ldexp(1 + (std::rand() + 0.5) / (RAND_MAX + 1.0), std::rand() % 220 - 110);
    const double x = std::rand() % 2 == 0 ? size : -size;
    if (x > row.least && x < row.largest)
      return static_cast<float>(x);
  }
}

static double spacing(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

static bool check(const Row &row, float *x, float *y, float *out) {
  double worst = 0, excess = -1;
  int place = 0;
  for (int i = 0; i < count; ++i) {
    x[i] = argument(row, i);
    y[i] = argument(row, count - i);
  }
  row.kernel<<<count / 256, 256>>>(x, y, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s: %s\n", row.name, sinter_last_error()), false;
  for (int i = 0; i < count; ++i) {
    const double exact = row.reference(x[i], y[i], x[i], y[i]), bound = row.bound(x[i]);
    // A negative bound is an absolute one. The numbers below the normal ones may be 0.
    const double unit = bound < 0 ? 1 : spacing(exact);
    const bool is_small = std::fabs(exact) < 0x1p-126 && std::fabs(out[i]) <= 0x1p-126;
    const double error = out[i] == exact || is_small || exact != exact ? 0 : std::fabs(out[i] - exact) / unit;
    worst = error > worst ? error : worst;
    if (!(error <= std::fabs(bound)) && !(error - std::fabs(bound) <= excess))
      excess = error - std::fabs(bound), place = i;
  }
  if (excess <= 0)
    return true;
  std::printf("%s(%a, %a) is %a: off by %g more than allowed\n", row.name, x[place], y[place], out[place], excess);
  return false;
}

int main() {
  float *numbers = nullptr;
  if (cudaMallocManaged(&numbers, 3 * count * sizeof(float)) != cudaSuccess)
    return std::puts("no memory"), 1;
  bool passed = true;
  for (const Row &row : rows)
    passed = check(row, numbers, numbers + count, numbers + 2 * count) && passed;
  if (passed)
    std::puts("PASS");
  return !passed;
}
