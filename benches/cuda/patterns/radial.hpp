// The radial distribution in SYCL, beside peers/patterns/radial.cuh.
#ifndef BENCHES_CUDA_PATTERNS_RADIAL_HPP
#define BENCHES_CUDA_PATTERNS_RADIAL_HPP

#include "gpu/patterns/radial.hpp"
#include "gpu/sycl.hpp"

namespace gpu::patterns {

inline void submit(sycl_device &device, const radial &p) {
  device.queue.memset(p.counts, 0, radial_bins * sizeof *p.counts);
  device.queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<particle, 1> tile(radial_group, group);
    sycl::local_accessor<unsigned, 1> mine(radial_bins, group);
    group.parallel_for(sycl::nd_range<1>(p.count, radial_group), [=, particles = p.particles, counts = p.counts,
                                                                  n = int(p.count)](sycl::nd_item<1> item) {
      const int i = item.get_global_id(0), l = item.get_local_id(0);
      for (int b = l; b < radial_bins; b += radial_group)
        mine[b] = 0;
      const particle self = particles[i];
      for (int first = 0; first < n; first += radial_group) {
        tile[l] = particles[first + l];
        sycl::group_barrier(item.get_group());
        for (int k = 0; k < radial_group; k++) {
          float dx = tile[k].x - self.x, dy = tile[k].y - self.y, dz = tile[k].z - self.z;
          dx -= box * sycl::rint(dx / box);
          dy -= box * sycl::rint(dy / box);
          dz -= box * sycl::rint(dz / box);
          const float square = dx * dx + dy * dy + dz * dz;
          if (square < cutoff * cutoff && first + k != i)
            sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(
                mine[int(sycl::sqrt(square) / bin_width)])
                .fetch_add(1u);
        }
        sycl::group_barrier(item.get_group());
      }
      for (int b = l; b < radial_bins; b += radial_group)
        sycl::atomic_ref<unsigned long long, sycl::memory_order::relaxed, sycl::memory_scope::device>(counts[b])
            .fetch_add(mine[b]);
    });
  });
}

} // namespace gpu::patterns

#endif
