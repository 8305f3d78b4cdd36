// A recursive function whose frames exceed the stack that CUDA gives a work-item by default, after
// `cudaDeviceSetLimit`. Devices that take SPIR-V have no recursion.
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr int items = 64, depth = 40;

__host__ __device__ unsigned walk(unsigned seed, int left) {
  unsigned kept[16];
  for (int i = 0; i < 16; ++i)
    kept[i] = seed = seed * 1664525u + 1013904223u;
  const unsigned below = left ? walk(seed ^ kept[left % 16], left - 1) : seed;
  return below + kept[below % 16];
}

__global__ void walk_all(unsigned *results, int left) { results[threadIdx.x] = walk(threadIdx.x, left); }

int main() {
  unsigned *results, found[items];
  size_t size = 0;
  if (cudaDeviceSetLimit(cudaLimitStackSize, 16384) || cudaDeviceGetLimit(&size, cudaLimitStackSize) || size != 16384)
    return std::puts("the limit was not set"), 1;
  if (cudaMalloc(&results, sizeof found))
    return std::puts("no memory"), 1;
  walk_all<<<1, items>>>(results, depth);
  if (cudaGetLastError()) {
    const char *devices = std::getenv("SINTER_VISIBILITY_MASK");
    const bool may_fail = devices && (!std::strcmp(devices, "opencl") || !std::strcmp(devices, "vulkan"));
    return std::puts(may_fail ? "PASS" : "the launch failed"), !may_fail;
  }
  if (cudaMemcpy(found, results, sizeof found, cudaMemcpyDeviceToHost))
    return std::puts("the copy failed"), 1;
  for (unsigned item = 0; item < items; ++item)
    if (found[item] != walk(item, depth))
      return std::printf("item %u: %u, not %u\n", item, found[item], walk(item, depth)), 1;
  cudaFree(results);
  std::puts("PASS");
}
