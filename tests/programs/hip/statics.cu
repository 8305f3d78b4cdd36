// levels: 0 2
// Static variables of functions, barriers of the compiler alone, variables that are pointers, and
// copies of indices.
#include <cstdio>

__device__ void *untyped;
__device__ int *typed;
struct Pair {
  int *first = nullptr;
  const char *second = nullptr;
};
__device__ Pair pair;

__device__ int tick() {
  static int n = 3;
  static const int step[2] = {1, 2};
  return atomicAdd(&n, step[1]);
}
template <class Type> __device__ Type kept(Type x) {
  static __device__ Type all = 100;
  return all += x;
}

__global__ void use(int *o) {
  static __device__ int launches;
  static __constant__ int four = 4;
  __shared__ int shared;
  shared = 1;
  asm volatile("" ::: "memory");
  o[0] = ++launches, o[1] = four, o[2] = tick(), o[3] = tick();
  o[4] = kept(1), o[5] = static_cast<int>(kept(2L));
  auto t = threadIdx;
  t.x += 5;
  t.y = blockDim.x;
  const auto u = t;
  t = threadIdx;
  t.x += 2;
  const uint3 v = threadIdx;
  o[6] = u.x + u.y + u.z + v.x, o[7] = t.x + shared - 1;
  o[8] = *static_cast<int *>(untyped) + *typed;
  if (__acpp_sscp_is_host)
    asm volatile("nop");
}

int main() {
  int *o = nullptr;
  if (cudaMallocManaged(&o, 64) != cudaSuccess)
    return std::puts("no memory"), 1;
  o[10] = 70;
  void *address = o + 10;
  if (cudaMemcpyToSymbol(untyped, &address, sizeof address) || cudaMemcpyToSymbol(typed, &address, sizeof address))
    return std::printf("%s\n", sinter_last_error()), 1;
  for (int i = 1; i <= 3; ++i) {
    use<<<1, 1>>>(o);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return std::printf("%s\n", sinter_last_error()), 1;
    const int wanted[] = {i, 4, 4 * i - 1, 4 * i + 1, 100 + i, 100 + 2 * i, 6, 2, 140};
    for (int k = 0; k < 9; ++k)
      if (o[k] != wanted[k])
        return std::printf("%d of launch %d: %d, not %d\n", k, i, o[k], wanted[k]), 1;
  }
  cudaFree(o);
  std::puts("PASS");
}
