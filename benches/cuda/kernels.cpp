// Four kernels whose compilation is measured: each runs once, so that SINTER_DUMP saves its request
// and its code.
//
// peers/compile.cu has the same four in CUDA C++. Their names are part of the symbols, by which the
// harness finds the folders.
#include "gpu/fixed.hpp"
#include "gpu/sycl.hpp"

class bench_triad;
class bench_matmul;
class bench_nbody;
class bench_reduction;

namespace {

using gpu::fixed::body;
using gpu::fixed::softening;

constexpr std::size_t side = 64, count = side * side, tile = 16, group_size = 256;

void triad(sycl::queue &queue, double *memory) {
  double *a = memory, *b = memory + count, *c = memory + 2 * count;
  queue.parallel_for<bench_triad>(sycl::range<1>(count), [=](sycl::id<1> i) { a[i] = b[i] + 0.4 * c[i]; });
}

void matmul(sycl::queue &queue, float *memory) {
  const float *a = memory, *b = memory + count;
  float *c = memory + 2 * count;
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<float, 1> tile_a(tile * tile, group), tile_b(tile * tile, group);
    group.parallel_for<bench_matmul>(sycl::nd_range<2>({side, side}, {tile, tile}),
                                     [=, n = int(side)](sycl::nd_item<2> item) {
                                       const int row = item.get_global_id(0), column = item.get_global_id(1);
                                       const int v = item.get_local_id(0), u = item.get_local_id(1);
                                       float sum = 0;
                                       for (int first = 0; first < n; first += int(tile)) {
                                         tile_a[v * tile + u] = a[row * n + first + u];
                                         tile_b[v * tile + u] = b[(first + v) * n + column];
                                         sycl::group_barrier(item.get_group());
                                         for (int k = 0; k < int(tile); k++)
                                           sum += tile_a[v * tile + k] * tile_b[k * tile + u];
                                         sycl::group_barrier(item.get_group());
                                       }
                                       c[row * n + column] = sum;
                                     });
  });
}

void nbody(sycl::queue &queue, const body *from, body *to) {
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<body, 1> near(group_size, group);
    group.parallel_for<bench_nbody>(sycl::nd_range<1>(count, group_size), [=, n = int(count)](sycl::nd_item<1> item) {
      const int i = item.get_global_id(0), l = item.get_local_id(0);
      const body self = from[i];
      body force = {0, 0, 0, 0};
      for (int first = 0; first < n; first += int(group_size)) {
        near[l] = from[first + l];
        sycl::group_barrier(item.get_group());
        for (int k = 0; k < int(group_size); k++) {
          const float dx = near[k].x - self.x, dy = near[k].y - self.y, dz = near[k].z - self.z;
          const float inverse = sycl::rsqrt(dx * dx + dy * dy + dz * dz + softening);
          const float pull = near[k].mass * inverse * inverse * inverse;
          force.x += dx * pull;
          force.y += dy * pull;
          force.z += dz * pull;
        }
        sycl::group_barrier(item.get_group());
      }
      to[i] = force;
    });
  });
}

void reduction(sycl::queue &queue, const float *in, float *out) {
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<float, 1> part(group_size, group);
    group.parallel_for<bench_reduction>(sycl::nd_range<1>(4 * group_size, group_size),
                                        [=, n = unsigned(count)](sycl::nd_item<1> item) {
                                          const unsigned l = item.get_local_id(0), step = item.get_global_range(0);
                                          float mine = 0;
                                          for (unsigned i = item.get_global_id(0); i < n; i += step)
                                            mine += in[i];
                                          part[l] = mine;
                                          for (unsigned half = group_size / 2; half > 0; half /= 2) {
                                            sycl::group_barrier(item.get_group());
                                            if (l < half)
                                              part[l] += part[l + half];
                                          }
                                          if (l == 0)
                                            out[item.get_group(0)] = part[0];
                                        });
  });
}

} // namespace

int main() {
  gpu::sycl_device device;
  double *wide = device.random<double>(3 * count, 1, 0, 1);
  float *narrow = device.random<float>(4 * count, 2, 0, 1);
  triad(device.queue, wide);
  matmul(device.queue, narrow);
  nbody(device.queue, reinterpret_cast<const body *>(narrow), device.allocate<body>(count));
  reduction(device.queue, narrow, device.allocate<float>(4));
  device.wait();
}
