// levels: 0 2
// standards: c++11 c++17
// Functions of warps, in blocks of whole warps and of a part of one.
#include <cstdio>

struct Results {
  unsigned ballot, match;
  int down, up, across, part, sum, any, all;
  double wide;
};

__global__ void use(Results *results) {
  const unsigned full = 0xffffffffu;
  const int i = threadIdx.x + blockIdx.x * blockDim.x, lane = threadIdx.x % warpSize;
  Results r;
  r.ballot = __ballot_sync(full, lane % 3 == 0);
  r.match = __match_any_sync(full, lane / 8);
  r.down = __shfl_down_sync(full, i, 3);
  r.up = __shfl_up_sync(full, i, 2, 16);
  r.across = __shfl_xor_sync(full, i, 5);
  r.part = __shfl_sync(full, i, 1, 8);
  r.any = __any_sync(full, lane == 31);
  r.all = __all_sync(full, lane < 31);
  r.wide = __shfl_sync(full, i + 0.5, 7);
  int sum = i;
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(full, sum, offset);
  r.sum = sum;
  __syncwarp();
  results[i] = r;
}

int main() {
  const int n = 4 * 96;
  Results *results = nullptr;
  if (cudaMallocManaged(&results, n * sizeof(Results)) != cudaSuccess)
    return std::puts("no memory"), 1;
  use<<<4, 96>>>(results);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  for (int i = 0; i < n; ++i) {
    const int lane = i % 32, first = i - lane;
    const Results &r = results[i];
    const bool fits = r.ballot == 0x49249249u && r.match == 0xffu << lane / 8 * 8 &&
                      r.down == (lane + 3 > 31 ? i : i + 3) && r.up == (lane % 16 < 2 ? i : i - 2) &&
                      r.across == first + (lane ^ 5) && r.part == first + lane / 8 * 8 + 1 && r.any && !r.all &&
                      r.wide == first + 7.5 && r.sum == 32 * first + 31 * 16;
    if (!fits)
      return std::printf("%d: %x %x %d %d %d %d %d %d %g %d\n", i, r.ballot, r.match, r.down, r.up, r.across, r.part,
                         r.any, r.all, r.wide, r.sum),
             1;
  }
  cudaFree(results);
  std::puts("PASS");
}
