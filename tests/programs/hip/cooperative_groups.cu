// levels: 0 2
// Cooperative groups: tiles, also of a size known when the program runs, the work-items of a branch,
// partitions, reductions and scans, copies, and calls by one work-item.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int block_size = 96, blocks = 2;

struct Wide {
  int a;
  double b;
  char c;
};

struct Results {
  int sum_of_tile, least, greatest, bits, sum_before, sum_up_to, of_group, of_dynamic, rank_of_dynamic;
  unsigned match, odd_ballot, odd_rank, odd_size, odd_sum, place, same_label, labels, label_rank;
  int all_same, broadcast, copied, of_two_warps;
  Wide wide;
  unsigned long long grid_rank;
};

// A group of any kind adds in shared memory.
__device__ int sum_in(cg::thread_group group, int *memory, int x) {
  const int rank = static_cast<int>(group.thread_rank());
  for (int i = static_cast<int>(group.size()) / 2; i > 0; i /= 2) {
    memory[rank] = x;
    group.sync();
    if (rank < i)
      x += memory[rank + i];
    group.sync();
  }
  return x;
}

__device__ unsigned aggregated(unsigned *counter) {
  cg::coalesced_group group = cg::coalesced_threads();
  unsigned first = 0;
  if (group.thread_rank() == 0)
    first = atomicAdd(counter, group.size());
  return group.shfl(first, 0) + group.thread_rank();
}

__global__ void use(Results *results, unsigned *counter, const int *input) {
  __shared__ int memory[block_size], copy[block_size];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  const int i = static_cast<int>(block.thread_rank());
  Results r = {};
  cg::memcpy_async(block, copy, input, sizeof copy);
  r.sum_of_tile = cg::reduce(tile, i, cg::plus<int>());
  r.least = cg::reduce(tile, (i * 7) % 16, cg::less<int>());
  r.greatest = cg::reduce(tile, (i * 7) % 16 + i / 16, cg::greater<int>());
  r.bits = cg::reduce(tile, 1 << i % 16, cg::bit_or<int>()) ^ cg::reduce(tile, i % 16, cg::bit_xor<int>());
  r.sum_before = cg::exclusive_scan(tile, i);
  r.sum_up_to = cg::inclusive_scan(tile, i, cg::plus<int>());
  r.match = static_cast<unsigned>(tile.match_any(i % 4));
  r.broadcast = tile.match_all(i / 16, r.all_same) == 0xffff ? tile.shfl(i, 3) : -1;
  r.wide = tile.shfl_xor(Wide{i, 0.5 * i, static_cast<char>(i)}, 1);
  r.of_group = sum_in(tile, memory + 16 * tile.meta_group_rank(), i);
  cg::thread_group dynamic = cg::tiled_partition(block, 8);
  block.sync();
  r.of_dynamic = sum_in(dynamic, memory + i / 8 * 8, i);
  r.rank_of_dynamic = static_cast<int>(dynamic.thread_rank());
  if (i % 2 == 1) {
    cg::coalesced_group odd = cg::coalesced_threads();
    r.odd_rank = odd.thread_rank();
    r.odd_size = odd.size();
    r.odd_ballot = static_cast<unsigned>(odd.ballot(i % 32 < 8));
    r.odd_sum = cg::reduce(odd, static_cast<unsigned>(i % 32), cg::plus<unsigned>());
    r.place = aggregated(counter) + 1;
    const cg::coalesced_group label = cg::labeled_partition(odd, i % 32 / 12);
    r.same_label = label.size(), r.labels = label.meta_group_size(), r.label_rank = label.meta_group_rank();
  }
  cg::wait(block);
  __shared__ cg::block_tile_memory<block_size> scratch;
  const auto wide = cg::tiled_partition<64>(cg::this_thread_block(scratch));
  r.of_two_warps = cg::reduce(wide, i, cg::plus<int>()) + static_cast<int>(1000000 * wide.thread_rank());
  r.copied = copy[block_size - 1 - i];
  cg::invoke_one(block, [&] { atomicAdd(counter, 1000u); });
  r.grid_rank = cg::this_grid().thread_rank();
  results[i + blockIdx.x * block_size] = r;
}

static int failures = 0;
#define EXPECT(value, wanted)                                                                                        \
  if (r.value != (wanted) && ++failures < 20)                                                                        \
  std::printf("%d: %s is %lld\n", i, #value, static_cast<long long>(r.value))

static void check(const Results &r, int i) {
  const int first = i / 16 * 16, lane = i % 32, in_tile = i % 16;
  EXPECT(sum_of_tile, 16 * first + 120);
  EXPECT(least, 0);
  EXPECT(greatest, 15 + i / 16);
  EXPECT(bits, 0xffff);
  EXPECT(sum_up_to, (in_tile + 1) * first + in_tile * (in_tile + 1) / 2);
  EXPECT(sum_before, in_tile * first + in_tile * (in_tile - 1) / 2);
  EXPECT(match, 0x1111u << i % 4);
  EXPECT(broadcast, first + 3);
  EXPECT(all_same, 1);
  EXPECT(wide.a, i ^ 1);
  EXPECT(wide.b, 0.5 * (i ^ 1));
  EXPECT(wide.c, static_cast<char>(i ^ 1));
  EXPECT(rank_of_dynamic, i % 8);
  if (in_tile == 0)
    EXPECT(of_group, 16 * first + 120);
  if (i % 8 == 0)
    EXPECT(of_dynamic, 8 * i + 28);
  if (i % 2 == 1) {
    EXPECT(odd_rank, static_cast<unsigned>(lane / 2));
    EXPECT(odd_size, 16u);
    EXPECT(odd_ballot, 0xfu);
    EXPECT(odd_sum, 256u);
    EXPECT(same_label, lane / 12 == 2 ? 4u : 6u);
    EXPECT(labels, 3u);
    EXPECT(label_rank, static_cast<unsigned>(lane / 12));
  }
  EXPECT(of_two_warps, (i < 64 ? 2016 : 2544) + 1000000 * (i % 64));
  EXPECT(copied, 3 * (block_size - 1 - i));
}

int main() {
  const int n = block_size * blocks;
  Results *results = nullptr;
  unsigned *counter = nullptr;
  int *input = nullptr;
  if (cudaMallocManaged(&results, n * sizeof(Results)) != cudaSuccess ||
      cudaMallocManaged(&counter, sizeof(unsigned)) != cudaSuccess ||
      cudaMallocManaged(&input, block_size * sizeof(int)) != cudaSuccess)
    return std::puts("no memory"), 1;
  *counter = 0;
  for (int i = 0; i < block_size; ++i)
    input[i] = 3 * i;
  use<<<blocks, dim3(32, 3)>>>(results, counter, input);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  bool has_place[n / 2] = {};
  for (int i = 0; i < n; ++i) {
    check(results[i], i % block_size);
    if (results[i].grid_rank != static_cast<unsigned>(i) && ++failures < 20)
      std::printf("rank %llu of %d\n", results[i].grid_rank, i);
    // Each work-item got a place of its own; the additions of 1000 may come in between.
    if (i % 2 == 1)
      has_place[(results[i].place - 1) % 1000] = true;
  }
  for (bool has : has_place)
    failures += !has;
  if (*counter != n / 2 + 1000 * blocks)
    return std::printf("the counter is %u\n", *counter), 1;
  cudaFree(input);
  cudaFree(counter);
  cudaFree(results);
  if (failures == 0)
    std::puts("PASS");
  return failures != 0;
}
