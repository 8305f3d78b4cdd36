// Cooperative launches of kernels whose blocks do not wait for each other, and rates of clocks.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void rank(unsigned *ranks, unsigned offset) {
  const auto grid = cooperative_groups::this_grid();
  ranks[grid.thread_rank()] = static_cast<unsigned>(grid.thread_rank()) + offset;
}

int main() {
  const unsigned n = 4 * 48;
  unsigned *ranks = nullptr, offset = 7;
  if (cudaMallocManaged(&ranks, n * sizeof *ranks) != cudaSuccess)
    return std::puts("no memory"), 1;
  void *arguments[] = {&ranks, &offset};
  if (cudaLaunchCooperativeKernel(rank, dim3(4), dim3(48), arguments) != cudaSuccess ||
      cudaLaunchCooperativeKernel(reinterpret_cast<void *>(rank), dim3(4), dim3(48), arguments, 0, nullptr) ||
      cudaDeviceSynchronize() != cudaSuccess)
    return std::puts(sinter_last_error()), 1;
  for (unsigned i = 0; i < n; ++i)
    if (ranks[i] != i + offset)
      return std::printf("%u: %u\n", i, ranks[i]), 1;
  cudaFree(ranks);
  int wall = 0, cycles = -1;
  if (cudaDeviceGetAttribute(&wall, hipDeviceAttributeWallClockRate, 0) != cudaSuccess || wall < 100000 ||
      cudaDeviceGetAttribute(&cycles, cudaDevAttrClockRate, 0) != cudaSuccess || cycles < 0)
    return std::printf("%d %d kHz\n", wall, cycles), 1;
  std::puts("PASS");
}
