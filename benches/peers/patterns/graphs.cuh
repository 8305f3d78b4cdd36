// The peer of cuda/patterns/graphs.hpp.
#ifndef BENCHES_PEERS_PATTERNS_GRAPHS_CUH
#define BENCHES_PEERS_PATTERNS_GRAPHS_CUH

#include "gpu/cuda.cuh"
#include "gpu/patterns/graphs.hpp"

namespace gpu::patterns {

static __global__ void floyd_kernel(int k, int *paths, int n) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  const int through = paths[i * n + k] + paths[k * n + j];
  if (through < paths[i * n + j])
    paths[i * n + j] = through;
}

inline void submit(cuda_device &, const floyd &p) {
  const dim3 blocks(groups(p.side, floyd_block), groups(p.side, floyd_block));
  for (int k = 0; k < floyd_passes; k++)
    gpu::launch(floyd_kernel, blocks, dim3(floyd_block, floyd_block), k, p.paths, p.side);
}

static __global__ void search_begins(int *level, int *queue, int *queued) {
  level[0] = 0;
  queue[0] = 0;
  queued[0] = 1;
}

static __global__ void search_step(const int *first, const int *target, int *level, int *queued, int step,
                                   const int *queue, int *next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queued[step])
    return;
  const int v = queue[i];
  for (int k = first[v]; k < first[v + 1]; k++) {
    const int w = target[k];
    if (level[w] == -1 && atomicCAS(&level[w], -1, step + 1) == -1)
      next[atomicAdd(&queued[step + 1], 1)] = w;
  }
}

inline void submit(cuda_device &device, const search &p) {
  device.poison(p.level, p.vertices);
  device.clear(p.queued, search_steps + 1);
  gpu::launch(search_begins, 1, 1, p.level, p.queue, p.queued);
  int *queue = p.queue, *next = p.next;
  for (int step = 0; step < search_steps; step++, std::swap(queue, next))
    gpu::launch(search_step, groups(p.vertices, group_size), group_size, p.first, p.target, p.level, p.queued, step,
                queue, next);
}

} // namespace gpu::patterns

#endif
