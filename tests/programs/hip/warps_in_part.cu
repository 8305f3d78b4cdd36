// levels: 0 2
// options: -Wno-sometimes-uninitialized
// Warps of which a part has ended, and shuffles of variables that only some work-items have set.
#include <cstdio>
#include <cooperative_groups.h>

struct Results {
  int active, ballot, sum, least, most, all_bits, any, match;
};

__global__ void after_return(Results *results, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  const unsigned full = 0xffffffffu;
  Results r;
  r.active = __popc(__activemask());
  r.ballot = __popc(__ballot_sync(full, 1));
  r.sum = __reduce_add_sync(full, i);
  r.least = __reduce_min_sync(full, i - 1000);
  r.most = __reduce_max_sync(full, i);
  r.all_bits = static_cast<int>(__reduce_and_sync(full, static_cast<unsigned>(i) | 256u));
  r.any = __any_sync(full, i >= n) + 10 * __all_sync(full, i < n);
  r.match = __popc(__match_any_sync(full, 5));
  results[i] = r;
}

// Lane 0 has not to be among those that are left.
__global__ void upper_part(int *sums) {
  const int i = threadIdx.x;
  if (i % 32 < 20)
    return;
  sums[i] = __reduce_add_sync(0xffffffffu, i);
}

template <class Type> __device__ Type from_first(Type x) { return __shfl_sync(0xffffffffu, x, 0); }

// One atomic operation of a warp for all its work-items, written in three ways.
template <int Way> __global__ void compact(const int *in, int *out, int *count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i >= n)
    return;
  const unsigned found = __ballot_sync(0xffffffffu, in[i] > 0);
  int base;
  if (lane == 0)
    base = atomicAdd(count, __popc(found));
  if (Way == 0)
    base = __shfl_sync(0xffffffffu, base, 0);
  else if (Way == 1)
    base = from_first(base);
  else
    base = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block()).shfl(base, 0);
  if (in[i] > 0)
    out[base + __popc(found & ((1u << lane) - 1))] = in[i];
}

template <int Way> bool compacts(int *in, int *out, int *count) {
  const int n = 2 * 128 - 28;
  *count = 0;
  for (int i = 0; i < 256; ++i)
    in[i] = i >= n ? 1000 : i % 2 ? i : -i, out[i] = 0;
  compact<Way><<<2, 128>>>(in, out, count, n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), false;
  long sum = 0, wanted = 0;
  for (int i = 0; i < n / 2; ++i)
    sum += out[i];
  for (int i = 1; i < n; i += 2)
    wanted += i;
  return *count == n / 2 && sum == wanted ? true : (std::printf("way %d: %d %ld\n", Way, *count, sum), false);
}

int main() {
  Results *results = nullptr;
  int *numbers = nullptr;
  if (cudaMallocManaged(&results, 64 * sizeof *results) != cudaSuccess ||
      cudaMallocManaged(&numbers, 4096) != cudaSuccess)
    return std::puts("no memory"), 1;
  for (int n : {40, 20, 64, 1}) {
    after_return<<<1, 64>>>(results, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return std::printf("%s\n", sinter_last_error()), 1;
    for (int i = 0; i < n; ++i) {
      const int first = i / 32 * 32, end = n < first + 32 ? n : first + 32, there = end - first;
      int sum = 0, bits = ~0;
      for (int k = first; k < end; ++k)
        sum += k, bits &= k | 256;
      const Results &r = results[i];
      if (r.active != there || r.ballot != there || r.sum != sum || r.least != first - 1000 || r.most != end - 1 ||
          r.all_bits != bits || r.any != 10 || r.match != there)
        return std::printf("%d of %d: %d %d %d %d %d %x %d %d\n", i, n, r.active, r.ballot, r.sum, r.least, r.most,
                           r.all_bits, r.any, r.match),
               1;
    }
  }
  upper_part<<<1, 64>>>(numbers);
  if (cudaDeviceSynchronize() != cudaSuccess || numbers[25] != 306 || numbers[60] != 690)
    return std::printf("upper part: %d %d\n", numbers[25], numbers[60]), 1;
  if (!compacts<0>(numbers, numbers + 256, numbers + 512) || !compacts<1>(numbers, numbers + 256, numbers + 512) ||
      !compacts<2>(numbers, numbers + 256, numbers + 512))
    return 1;
  cudaFree(results);
  cudaFree(numbers);
  std::puts("PASS");
}
