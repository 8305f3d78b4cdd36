// Graphs in SYCL, beside peers/patterns/graphs.cuh.
#ifndef BENCHES_CUDA_PATTERNS_GRAPHS_HPP
#define BENCHES_CUDA_PATTERNS_GRAPHS_HPP

#include "gpu/patterns/graphs.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

inline void submit(sycl_device &device, const floyd &p) {
  for (int k = 0; k < floyd_passes; k++)
    device.queue.parallel_for(sycl::nd_range<2>({p.side, p.side}, {floyd_block, floyd_block}),
                              [k, paths = p.paths, n = int(p.side)](sycl::nd_item<2> item) {
                                const int i = item.get_global_id(0), j = item.get_global_id(1);
                                const int through = paths[i * n + k] + paths[k * n + j];
                                if (through < paths[i * n + j])
                                  paths[i * n + j] = through;
                              });
}

inline void search_step(sycl::queue &on, const search &p, int step, const int *queue, int *next) {
  on.parallel_for(sycl::nd_range<1>(p.vertices, group_size), [=, first = p.first, target = p.target, level = p.level,
                                                              queued = p.queued](sycl::nd_item<1> item) {
    const int i = item.get_global_id(0);
    if (i >= queued[step])
      return;
    const int v = queue[i];
    for (int k = first[v]; k < first[v + 1]; k++) {
      const int w = target[k];
      int unseen = -1;
      if (level[w] == unseen && sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(level[w])
                                    .compare_exchange_strong(unseen, step + 1))
        next[sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(queued[step + 1])
                 .fetch_add(1)] = w;
    }
  });
}

inline void submit(sycl_device &device, const search &p) {
  device.queue.memset(p.level, 0xff, p.vertices * sizeof(int));
  device.queue.memset(p.queued, 0, (search_steps + 1) * sizeof(int));
  device.queue.single_task([level = p.level, queue = p.queue, queued = p.queued] {
    level[0] = 0;
    queue[0] = 0;
    queued[0] = 1;
  });
  int *queue = p.queue, *next = p.next;
  for (int step = 0; step < search_steps; step++, std::swap(queue, next))
    search_step(device.queue, p, step, queue, next);
}

} // namespace gpu::patterns

#endif
