// levels: 0 2 3
// Kernels and device functions of all kinds: templates, overloads, static ones, members, pointers.
#include <cstdio>

#define CHECK(call)                                                                                                   \
  if (cudaError_t error = call)                                                                                      \
  return std::printf("%s: %s, %s\n", #call, cudaGetErrorString(error), sinter_last_error()), 1

struct Large {
  int numbers[900];
};
class Counter {
public:
  __host__ __device__ explicit Counter(int start) : value(start) {}
  __device__ int next();
  __host__ __device__ int get() const { return value; }

private:
  int value;
};
__device__ int Counter::next() { return ++value; }

// A function of the host and one of devices with the same signature.
__host__ int side(int x) { return x + 1; }
__device__ int side(int x) { return x + 100; }
__host__ __device__ int both(int x) { return 3 * x; }
template <int N> __device__ int power(int x) { return x * power<N - 1>(x); }
template <> __device__ int power<0>(int) { return 1; }

namespace {
__global__ void hidden(int *out) { out[threadIdx.x] = 1; }
} // namespace
static __global__ void overloaded(int *out, int x) { out[threadIdx.x] = x; }
static __global__ void overloaded(int *out, double x) { out[threadIdx.x] = static_cast<int>(2 * x); }
extern "C" __global__ void plain(int *out) { out[threadIdx.x] = side(both(static_cast<int>(threadIdx.x))); }
template <class T, int N> __global__ void generic(int *out, T x) { out[threadIdx.x] = power<N>(static_cast<int>(x)); }
template <class... T> __global__ void variadic(int *out, T... x) { out[threadIdx.x] = (0 + ... + static_cast<int>(x)); }
__global__ void large(int *out, Large large, char last) { out[threadIdx.x] = large.numbers[threadIdx.x * 20] + last; }
__global__ void aligned(int *out, char a, float4 b, char c, double d, uchar3 e, short f) {
  out[threadIdx.x] = static_cast<int>(a + b.x + b.w + c + d + e.z + f);
}
__global__ void counted(int *out) {
  Counter counter(static_cast<int>(threadIdx.x));
  counter.next();
  out[threadIdx.x] = counter.next() + counter.get();
}
// Both calls use the same memory of the block.
__device__ int *shared_place() {
  __shared__ int place[1];
  return place;
}
__global__ void through_functions(int *out) {
  if (threadIdx.x == 0)
    *shared_place() = 77;
  __syncthreads();
  out[threadIdx.x] = *shared_place();
}
template <class T> __global__ void dynamic(int *out) {
  extern __shared__ unsigned char raw[];
  T *memory = reinterpret_cast<T *>(raw);
  memory[threadIdx.x] = static_cast<T>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = static_cast<int>(memory[blockDim.x - 1 - threadIdx.x]);
}
__global__ void indices(int *out) {
  const dim3 block = blockDim, grid = gridDim;
  const uint3 thread = threadIdx;
  const int i = thread.x + block.x * (thread.y + block.y * thread.z);
  atomicAdd(&out[i], static_cast<int>(blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z + 1000 * grid.z));
}

static int *out = nullptr;

template <class Expected> int check(const char *name, Expected expected) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i)
    if (out[i] != expected(i))
      return std::printf("%s: %d is %d instead of %d\n", name, i, out[i], expected(i)), 1;
  return 0;
}

int main() {
  CHECK(cudaMallocManaged(&out, 32 * sizeof(int)));
  int failed = side(1) != 2;
  hidden<<<1, 32>>>(out);
  failed |= check("hidden", [](int) { return 1; });
  overloaded<<<1, 32>>>(out, 4);
  failed |= check("int", [](int) { return 4; });
  overloaded<<<1, 32>>>(out, 4.0);
  failed |= check("double", [](int) { return 8; });
  plain<<<1, 32>>>(out);
  failed |= check("plain", [](int i) { return 3 * i + 100; });
  generic<float, 3><<<1, 32>>>(out, 2.0f);
  failed |= check("generic", [](int) { return 8; });
  variadic<<<1, 32>>>(out, 1, 2.0, 'A', 4u);
  failed |= check("variadic", [](int) { return 7 + 'A'; });
  Large numbers;
  for (int i = 0; i < 900; ++i)
    numbers.numbers[i] = i;
  large<<<1, 32>>>(out, numbers, 3);
  failed |= check("large", [](int i) { return 20 * i + 3; });
  aligned<<<1, 32>>>(out, 1, make_float4(2, 0, 0, 3), 4, 5.0, make_uchar3(0, 0, 6), 7);
  failed |= check("aligned", [](int) { return 28; });
  counted<<<1, 32>>>(out);
  failed |= check("counted", [](int i) { return 2 * (i + 2); });
  through_functions<<<1, 32>>>(out);
  failed |= check("through functions", [](int) { return 77; });
  dynamic<double><<<1, 32, 32 * sizeof(double)>>>(out);
  failed |= check("dynamic", [](int i) { return 31 - i; });
  void (*pointer)(int *) = hidden;
  pointer<<<1, 32>>>(out);
  failed |= check("pointer", [](int) { return 1; });
  int x = 9;
  void *arguments[] = {&out, &x};
  void (*chosen)(int *, int) = overloaded;
  CHECK(cudaLaunchKernel(chosen, dim3(1), dim3(32), arguments, 0, nullptr));
  failed |= check("arguments", [](int) { return 9; });
  CHECK(cudaMemset(out, 0, 32 * sizeof(int)));
  indices<<<dim3(2, 2, 2), dim3(4, 4, 2)>>>(out);
  failed |= check("indices", [](int) { return 4 * (1 + 10 + 100) + 8 * 2000; });
  CHECK(cudaFree(out));
  if (!failed)
    std::puts("PASS");
  return failed;
}
