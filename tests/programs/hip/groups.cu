// levels: 0 2
// standards: c++11 c++17
// Cooperative groups: a block and its tiles.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums(int *out) {
  __shared__ int parts[8];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int sum = static_cast<int>(block.thread_rank());
  for (int offset = static_cast<int>(tile.size()) / 2; offset > 0; offset /= 2)
    sum += tile.shfl_down(sum, static_cast<unsigned>(offset));
  if (tile.thread_rank() == 0)
    parts[tile.meta_group_rank()] = sum;
  cg::sync(block);
  int total = 0;
  for (unsigned i = 0; i < tile.meta_group_size(); ++i)
    total += parts[i];
  out[block.thread_rank()] = total + static_cast<int>(tile.ballot(tile.thread_rank() == 2));
}

int main() {
  int *out = nullptr;
  if (cudaMallocManaged(&out, 96 * sizeof(int)) != cudaSuccess)
    return std::puts("no memory"), 1;
  sums<<<1, dim3(32, 3)>>>(out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  for (int i = 0; i < 96; ++i)
    if (out[i] != 96 * 95 / 2 + 4)
      return std::printf("%d: %d\n", i, out[i]), 1;
  cudaFree(out);
  std::puts("PASS");
}
