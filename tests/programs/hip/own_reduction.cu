// A program without the header of reductions may have its own under that name, of groups of any kind.
#include <cooperative_groups.h>
#include <cstdio>
using namespace cooperative_groups;

constexpr int block = 256;

__device__ int reduce(thread_group group, int *shared, int value) {
  const int rank = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    shared[rank] = value;
    group.sync();
    if (rank < i)
      value += shared[rank + i];
    group.sync();
  }
  return value;
}

__global__ void sums(const int *data, int *results) {
  __shared__ int shared[block];
  auto whole = this_thread_block();
  auto warp = tiled_partition(whole, 32);
  auto half = tiled_partition(warp, 16);
  const int i = threadIdx.x;
  const int of_block = reduce(whole, shared, data[i]);
  whole.sync();
  const int of_half = reduce(half, shared + i / 16 * 16, data[i]);
  if (half.thread_rank() == 0)
    results[i / 16] = of_half;
  if (i == 0)
    results[block / 16] = of_block;
}

int main() {
  int *data = nullptr, *results = nullptr, host[block], found[block / 16 + 1];
  cudaMalloc(&data, sizeof host);
  cudaMalloc(&results, sizeof found);
  for (int i = 0; i < block; ++i)
    host[i] = i;
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  sums<<<1, block>>>(data, results);
  cudaMemcpy(found, results, sizeof found, cudaMemcpyDeviceToHost);
  bool right = found[block / 16] == block * (block - 1) / 2;
  for (int i = 0; i < block / 16; ++i)
    right &= found[i] == 16 * 16 * i + 120;
  std::puts(right ? "PASS" : "FAIL");
}
