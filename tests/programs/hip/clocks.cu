// levels: 0 2
// Clocks go forward while a kernel computes: no two reads become one, and none leaves its place.
#include <cstdio>
#include <ctime>

struct Times {
  long long cycles[3], steady[3];
  clock_t start, end;
  unsigned result;
};

__device__ unsigned work(unsigned x, int turns) {
  for (int i = 0; i < turns; ++i)
    x = x * 1664525u + 1013904223u;
  return x;
}

__global__ void measure(Times *times, int turns) {
  Times t;
  t.start = clock();
  unsigned x = threadIdx.x;
  for (int i = 0; i < 3; ++i) {
    t.cycles[i] = clock64();
    t.steady[i] = wall_clock64();
    x = work(x, turns);
  }
  t.end = clock();
  t.result = x;
  times[threadIdx.x + blockIdx.x * blockDim.x] = t;
}

int main() {
  const int n = 64;
  Times *times = nullptr;
  if (cudaMallocManaged(&times, n * sizeof(Times)) != cudaSuccess)
    return std::puts("no memory"), 1;
  const clock_t before = std::clock();
  measure<<<2, 32>>>(times, 20000);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  if (clock() < before)
    return std::puts("the host's clock went back"), 1;
  for (int i = 0; i < n; ++i) {
    const Times &t = times[i];
    bool goes = t.end - t.start > 1000 && t.cycles[0] >= t.start;
    for (int k = 1; k < 3; ++k)
      goes = goes && t.cycles[k] - t.cycles[k - 1] > 1000 && t.steady[k] > t.steady[k - 1];
    if (!goes)
      return std::printf("%d: %lld %lld %lld, %lld %lld %lld\n", i, t.cycles[0], t.cycles[1], t.cycles[2],
                         t.steady[0], t.steady[1], t.steady[2]),
             1;
  }
  cudaFree(times);
  std::puts("PASS");
}
