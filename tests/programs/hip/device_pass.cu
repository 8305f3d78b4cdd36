// levels: 0 2
// options: --sinter-device-pass
// A parse for devices: questions for the device in code for both sides, in macros and types, and
// variables and functions that only this unit names.
#include <cmath>

#include "../check.hpp"

#ifdef __CUDA_ARCH__
#define SIDE 100
#else
#define SIDE 1
#endif

__host__ __device__ int architecture() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  return 700;
#else
  return 0;
#endif
}
__host__ __device__ constexpr int side() { return SIDE; }

// As wide as a warp on devices.
struct traits {
#ifdef __CUDA_ARCH__
  static constexpr int width = 32;
#else
  static constexpr int width = 4;
#endif
};

int twin(int x) { return x + 1; }
__device__ int twin(int x) { return x + 100; }
__host__ int of_host(int x) { return x + 3; }
template <class Type> __host__ __device__ Type both(Type x) { return twin(x) + of_host(x); }

static __device__ int counter = 5;
static __constant__ int table[4] = {1, 2, 3, 4};
namespace {
__managed__ int managed = 7;
} // namespace
static const float halves[] = {0.5f, 1.5f};
extern __shared__ int dynamic[];

template <class Type> __global__ void ask(Type *out) {
  static __constant__ int own = 9;
  __shared__ Type local[32];
  const int i = threadIdx.x;
  local[i] = side();
  dynamic[31 - i] = traits::width;
  __syncthreads();
  out[i] = local[31 - i] + dynamic[i] + architecture() + both(0) + table[i % 4] + own +
           static_cast<int>(std::sqrt(16.0f) + halves[i % 2] * 2);
  atomicAdd(&counter, 1);
  if (i == 0)
    ++managed;
}

namespace {
__global__ void hidden(int *out) {
  static __device__ int four = 4;
  *out = side() + ++four;
}
} // namespace

template <class Function> __global__ void call(int *out, Function function) { *out = function(2); }

int main() {
  int *out = nullptr;
  CHECK(cudaMallocManaged(&out, 32 * sizeof *out) == cudaSuccess);
  ask<<<1, 32, 32 * sizeof(int)>>>(out);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i != 32; ++i)
    CHECK_EQUAL(out[i], 100 + 32 + 700 + 103 + (i % 4 + 1) + 9 + 4 + (i % 2 ? 3 : 1));
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count) == cudaSuccess);
  CHECK_EQUAL(count, 37);
  CHECK_EQUAL(managed, 8);
  CHECK_EQUAL(side() + architecture() + traits::width + both(0), 1 + 4 + 4);
  hidden<<<1, 1>>>(out);
  const int captured = 10;
  call<<<1, 1>>>(out + 1, [=] __host__ __device__(int x) { return x * captured + side(); });
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK_EQUAL(out[0], 105);
  CHECK_EQUAL(out[1], 120);
  return pass();
}
