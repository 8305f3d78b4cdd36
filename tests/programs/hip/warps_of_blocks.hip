// levels: 0 2
// Warps of blocks with two and three dimensions: work-items in linear order, x fastest.
#include <cstdio>
#include <vector>

struct Seen {
  unsigned lane, x, y, z, sizes, group;
  unsigned long long ballot;
  int from, sum, shared;
};

__global__ void look(Seen *all) {
  __shared__ int values[512];
  const int width = blockDim.x, height = blockDim.y, items = width * height * blockDim.z;
  const int i = threadIdx.x + width * (threadIdx.y + height * threadIdx.z);
  values[i] = 3 * i;
  __syncthreads();
  Seen s;
  s.lane = __lane_id(), s.x = threadIdx.x, s.y = threadIdx.y, s.z = threadIdx.z;
  s.sizes = blockDim.x + 1000 * blockDim.y + 1000000 * blockDim.z;
  s.group = blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z + 1000 * (gridDim.x + 10 * gridDim.y + 100 * gridDim.z);
  s.ballot = __ballot(i % 3 == 0);
  s.from = __shfl(i, 1);
  s.sum = i;
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_down(s.sum, offset);
    s.sum += s.lane + offset < 32 && i + offset < items ? other : 0;
  }
  s.shared = values[items - 1 - i];
  all[i + items * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z))] = s;
}

static bool is_right(const Seen &s, int i, int group, dim3 grid, dim3 block) {
  const int width = block.x, height = block.y, items = width * height * block.z, first = i / 32 * 32;
  const int last = first + 32 < items ? first + 32 : items;
  unsigned long long ballot = 0;
  for (int other = first; other < last; other++)
    ballot |= other % 3 == 0 ? 1ull << (other - first) : 0;
  int sum = 0;
  for (int other = i; other < last; other++)
    sum += other;
  const unsigned x = group % grid.x, y = group / grid.x % grid.y, z = group / (grid.x * grid.y);
  return s.lane == unsigned(i % 32) && s.x == unsigned(i % width) && s.y == unsigned(i / width % height) &&
         s.z == unsigned(i / (width * height)) && s.sizes == block.x + 1000 * block.y + 1000000 * block.z &&
         s.group == x + 10 * y + 100 * z + 1000 * (grid.x + 10 * grid.y + 100 * grid.z) && s.ballot == ballot &&
         s.from == first + 1 && s.sum == sum && s.shared == 3 * (items - 1 - i);
}

static int check(dim3 grid, dim3 block) {
  const int items = block.x * block.y * block.z, groups = grid.x * grid.y * grid.z;
  std::vector<Seen> seen(items * groups);
  Seen *memory = nullptr;
  if (hipMalloc(&memory, seen.size() * sizeof(Seen)) != hipSuccess)
    return 1;
  look<<<grid, block>>>(memory);
  if (hipGetLastError() != hipSuccess)
    return std::printf("%ux%ux%u: %s\n", block.x, block.y, block.z, sinter_hip_last_message()), 1;
  if (hipMemcpy(seen.data(), memory, seen.size() * sizeof(Seen), hipMemcpyDeviceToHost) != hipSuccess)
    return 1;
  hipFree(memory);
  for (int i = 0; i < items * groups; i++)
    if (!is_right(seen[i], i % items, i / items, grid, block))
      return std::printf("item %d of blocks of %ux%ux%u is wrong\n", i, block.x, block.y, block.z), 1;
  return 0;
}

int main() {
  const dim3 grid(3, 2, 2);
  int wrong = 0;
  for (dim3 block : {dim3(16), dim3(100), dim3(4, 4), dim3(8, 8), dim3(32, 4), dim3(2, 32), dim3(3, 7, 5),
                     dim3(1, 64), dim3(1, 1, 40), dim3(4, 2, 16), dim3(33, 3), dim3(16, 16, 2)})
    wrong += check(grid, block);
  if (!wrong)
    std::puts("PASS");
  return wrong;
}
