// levels: 0 2
// options: -rdc=true
// Managed variables: host code and kernels use them by their names.
#include <cstdio>

#define CHECK(call)                                                                                                   \
  if (cudaError_t error = call)                                                                                      \
  return std::printf("%s: %s, %s\n", #call, cudaGetErrorString(error), sinter_hip_last_message()), 1

struct Pair {
  int first;
  double second;
};

__managed__ int counter = 5;
__device__ __managed__ float table[4] = {1, 2, 3, 4};
static __managed__ Pair pair = {1, 2};
__managed__ alignas(64) int zeros[300];
// Host code changes it before any kernel runs.
__managed__ int early = 1;

namespace {
struct Setter {
  Setter() { early += 41; }
} setter;
} // namespace

// A function of host and devices.
__host__ __device__ int twice() { return 2 * counter; }

__global__ void use(int *out) {
  const int i = static_cast<int>(threadIdx.x);
  atomicAdd(&counter, 1);
  zeros[i + 100] = i;
  if (i == 0) {
    table[1] += pair.first;
    pair.second = early;
  }
  __syncthreads();
  out[i] = twice();
}

int main() {
  int *out = nullptr;
  int *address = &counter;
  CHECK(cudaMallocManaged(&out, 64 * sizeof(int)));
  table[1] = 20;
  pair.first = 7;
  use<<<1, 64>>>(out);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  if (counter != 69 || twice() != 138 || table[1] != 27 || table[3] != 4 || pair.second != 42)
    return std::printf("%d %d %g %g %g\n", counter, twice(), table[1], table[3], pair.second), 1;
  if (address != &counter || *address != 69 || zeros[163] != 63 || zeros[299] != 0)
    return std::printf("%d %d %d\n", *address, zeros[163], zeros[299]), 1;
  for (int &x : zeros)
    ++x;
  ++counter;
  use<<<1, 64>>>(out);
  CHECK(cudaGetLastError());
  int copied = 0, next[2] = {100, 200};
  CHECK(cudaMemcpyFromSymbol(&copied, counter, sizeof copied));
  CHECK(cudaMemcpyToSymbol(zeros, next, sizeof next, 2 * sizeof(int)));
  void *place = nullptr;
  size_t size = 0;
  CHECK(cudaGetSymbolAddress(&place, counter));
  CHECK(cudaGetSymbolSize(&size, zeros));
  if (copied != 134 || zeros[1] != 1 || zeros[3] != 200 || place != address || size != sizeof zeros)
    return std::printf("%d %d %d %p %p %zu\n", copied, zeros[1], zeros[3], place, static_cast<void *>(address), size), 1;
  CHECK(cudaFree(out));
  std::puts("PASS");
}
