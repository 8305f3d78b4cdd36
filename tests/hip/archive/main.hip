// A program whose kernels use functions and variables of devices out of an archive.
#include <hip/hip_runtime.h>

#include <cstdio>

// Nothing of the archive is used by host code.
__device__ int squared(int x);
class Scale {
public:
  __host__ __device__ explicit Scale(int by) : by(by) {}
  __device__ int apply(int x) const;

private:
  int by;
};
extern __device__ int calls;
extern __constant__ int table[4];
extern __managed__ int seen;

__global__ void run(int *out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = Scale(3).apply(squared(i)) + table[i % 4];
  atomicAdd(&calls, 1);
  atomicAdd(&seen, 2);
}

int main() {
  int *out = nullptr, count = 0;
  if (hipMallocManaged(&out, 32 * sizeof(int)) != hipSuccess)
    return std::puts(sinter_hip_last_message()), 1;
  ++seen;
  run<<<1, 32>>>(out);
  if (hipGetLastError() != hipSuccess || hipDeviceSynchronize() != hipSuccess)
    return std::puts(sinter_hip_last_message()), 1;
  for (int i = 0; i < 32; ++i)
    if (out[i] != 3 * i * i + 10 * (i % 4))
      return std::printf("%d: %d\n", i, out[i]), 1;
  if (hipMemcpyFromSymbol(&count, HIP_SYMBOL(calls), sizeof count) != hipSuccess || count != 32 || seen != 72)
    return std::printf("%d %d\n", count, seen), 1;
  hipFree(out);
  std::puts("PASS");
}
