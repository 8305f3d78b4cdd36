// levels: 0 2
// Approximations, whose names the C library has too, in code for both sides.
#include <cmath>
#include <cstdio>

__host__ __device__ float sigmoid(float x) { return 1.0f / (1.0f + __expf(-x)); }

struct Waves {
  template <class Type> __host__ __device__ Type operator()(Type x) const {
    Type s, c;
    __sincosf(x, &s, &c);
    return __sinf(x) + __cosf(x) + s + c + __tanf(x);
  }
};

template <class Function> __global__ void apply(float *x, Function function) { *x = function(*x); }

template <class Function> bool equal(float *x, float argument, Function function, float wanted) {
  *x = argument;
  apply<<<1, 1>>>(x, function);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), false;
  return std::fabs(*x - wanted) < 1e-4f * std::fabs(wanted) + 1e-6f && std::fabs(function(argument) - wanted) < 1e-4f
             ? true
             : (std::printf("%g is not %g\n", *x, wanted), false);
}

int main() {
  float *x = nullptr;
  if (cudaMallocManaged(&x, sizeof *x) != cudaSuccess)
    return std::puts("no memory"), 1;
  const float s = std::sin(0.5f), c = std::cos(0.5f);
  const auto logarithms = [] __host__ __device__(float x) { return __logf(x) + __log2f(x) + __log10f(x); };
  const auto powers = [] __host__ __device__(float x) { return __powf(x, 3.0f) + __exp10f(x) + __tanhf(x); };
  const bool fits = equal(x, 0.5f, [] __host__ __device__(float x) { return sigmoid(x); }, 0.6224593f) &&
                    equal(x, 0.5f, Waves(), 2 * (s + c) + s / c) && equal(x, 8.0f, logarithms, 5.9825315f) &&
                    equal(x, 0.5f, powers, 0.125f + 3.1622777f + 0.46211716f);
  cudaFree(x);
  std::puts(fits ? "PASS" : "FAIL");
}
