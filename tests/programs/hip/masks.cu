// levels: 0 2
// Warp functions of a part of a warp: in a branch, with masks that name who takes part, and in
// warps of which a part has ended.
#include <cstdio>

struct Results {
  unsigned active, ballot, match, all_match, after_end;
  int shuffled, sum, least, are_same, any, all, turns;
};

__global__ void parts(Results *results) {
  const int lane = threadIdx.x % warpSize, i = threadIdx.x + blockIdx.x * blockDim.x;
  Results r = {};
  if (lane < 12) {
    const unsigned mask = 0xfffu;
    r.active = __activemask();
    r.ballot = __ballot_sync(mask, lane % 2);
    r.match = __match_any_sync(mask, lane / 5);
    r.shuffled = __shfl_down_sync(mask, i, 1);
    r.sum = __reduce_add_sync(mask, lane);
    r.any = __any_sync(mask, lane == 30);
    __syncwarp(mask);
  } else if (lane % 4 == 0) {
    const unsigned mask = 0x11111000u;
    r.ballot = __ballot_sync(mask, lane > 20);
    r.all_match = __match_all_sync(mask, 2.5f, &r.are_same);
    r.shuffled = __shfl_sync(mask, i, 16);
    r.least = __reduce_min_sync(mask, 100 - lane);
    r.all = __all_sync(mask, lane > 11);
  } else {
    r.active = __activemask();
  }
  // The work-items leave a loop one after the other.
  for (int turn = 0; turn < lane; ++turn)
    r.turns += __popc(__ballot_sync(__activemask(), 1)) > 0;
  results[i] = r;
  if (lane >= 20)
    return;
  results[i].after_end = __ballot_sync(0xfffffu, lane >= 10);
}

int main() {
  const int n = 128;
  Results *results = nullptr;
  if (cudaMallocManaged(&results, n * sizeof(Results)) != cudaSuccess)
    return std::puts("no memory"), 1;
  parts<<<2, 64>>>(results);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  for (int i = 0; i < n; ++i) {
    const int lane = i % 32, first = i - lane;
    const Results &r = results[i];
    bool fits = r.turns == lane && r.after_end == (lane < 20 ? 0xffc00u : 0u);
    if (lane < 12) {
      const unsigned match = lane < 5 ? 0x1fu : lane < 10 ? 0x3e0u : 0xc00u;
      // A branch may run in parts, so that fewer are active than take it.
      fits = fits && (r.active & 1u << lane) != 0 && (r.active & ~0xfffu) == 0 && r.ballot == 0xaaau &&
             r.match == match && (lane == 11 || r.shuffled == i + 1) && r.sum == 66 && !r.any;
    } else if (lane % 4 == 0) {
      fits = fits && r.ballot == 0x11000000u && r.all_match == 0x11111000u && r.are_same &&
             r.shuffled == first + 16 && r.least == 72 && r.all;
    } else {
      fits = fits && (r.active & 1u << lane) != 0 && (r.active & 0x11111fffu) == 0;
    }
    if (!fits)
      return std::printf("%d: %#x %#x %#x %#x %d %d %d %d %#x\n", i, r.active, r.ballot, r.match, r.all_match,
                         r.shuffled, r.sum, r.least, r.turns, r.after_end),
             1;
  }
  cudaFree(results);
  std::puts("PASS");
}
