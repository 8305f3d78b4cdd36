// levels: 0 2
// Complex numbers of CUDA and HIP, against those of the C++ library, and the names of constants.
#include <cuComplex.h>
#include <hip/hip_complex.h>
#include <math_constants.h>

#include <complex>
#include <cstdio>

constexpr int count = 256;

struct Results {
  cuFloatComplex sum, product, quotient, fused;
  cuDoubleComplex wide;
  float size, square;
};

__global__ void compute(const float2 *numbers, Results *results) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const cuFloatComplex a = numbers[i], b = make_cuFloatComplex(numbers[i].y, 2 - numbers[i].x), c = cuConjf(a);
  Results r;
  r.sum = cuCaddf(a, b), r.product = cuCmulf(a, b), r.quotient = cuCdivf(a, b), r.fused = cuCfmaf(a, b, c);
  r.wide = cuCdiv(cuComplexFloatToDouble(a), make_cuDoubleComplex(CUDART_PI, cuCimagf(b)));
  r.size = hipCabsf(a), r.square = hipCsqabsf(a);
  results[i] = r;
}

template <class Pair, class Number> bool is_close(Pair got, std::complex<Number> wanted, double precision) {
  return std::abs(std::complex<double>(got.x, got.y) - std::complex<double>(wanted)) <= precision * std::abs(wanted);
}

int main() {
  float2 *numbers = nullptr;
  Results *results = nullptr;
  if (cudaMallocManaged(&numbers, count * sizeof(float2)) != cudaSuccess ||
      cudaMallocManaged(&results, count * sizeof(Results)) != cudaSuccess)
    return std::puts("no memory"), 1;
  for (int i = 0; i < count; ++i)
    numbers[i] = make_float2(0.37f * i - 20, 11 - 0.23f * i);
  compute<<<count / 64, 64>>>(numbers, results);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  for (int i = 0; i < count; ++i) {
    const Results &r = results[i];
    const std::complex<double> a(numbers[i].x, numbers[i].y), b(numbers[i].y, 2 - numbers[i].x);
    const bool fits = is_close(r.sum, a + b, 1e-5) && is_close(r.product, a * b, 1e-5) &&
                      is_close(r.quotient, a / b, 1e-5) && is_close(r.fused, a * b + std::conj(a), 1e-4) &&
                      is_close(r.wide, a / std::complex<double>(M_PI, b.imag()), 1e-6) &&
                      std::fabs(r.size - std::abs(a)) < 1e-5 * r.size &&
                      std::fabs(r.square - std::norm(a)) < 1e-5 * r.square;
    if (!fits)
      return std::printf("%d is wrong\n", i), 1;
  }
  const bool are_right = CUDART_INF_F > 3e38f && CUDART_NAN != CUDART_NAN && CUDART_SQRT_TWO == std::sqrt(2.0) &&
                         CUDART_LN2_F == std::log(2.0f) && HIP_PIO2 == M_PI_2 && CUDART_MIN_DENORM > 0;
  if (are_right)
    std::puts("PASS");
  return !are_right;
}
