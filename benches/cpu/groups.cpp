// Kernels with barriers, local memory, local atomics, a reduction and collectives in SYCL 2020,
// beside peers/groups_omp.cpp.
#include "counters.hpp"
#include "groups.hpp"

#include <sycl/sycl.hpp>

namespace {

using namespace groups;

class kernels {
public:
  kernels()
      : queue(sycl::cpu_selector_v, sycl::property::queue::in_order()), a(allocate<float>(matrix * matrix)),
        b(allocate<float>(matrix * matrix)), c(allocate<float>(matrix * matrix)), from(allocate<body>(bodies)),
        to(allocate<body>(bodies)), data(allocate<unsigned char>(values)), counted(allocate<std::uint32_t>(bins)),
        x(allocate<double>(vector)), y(allocate<double>(vector)), total(allocate<double>(1)),
        terms(allocate<float>(numbers)), added(allocate<float>(numbers / summed)), scanned(allocate<float>(numbers)),
        elements(allocate<float>(matrices * most_order * most_order)), factors(allocate<float>(matrices)) {
    queue.parallel_for(sycl::range<1>(matrix * matrix), [a = a, b = b](sycl::id<1> i) {
      a[i] = factor(i);
      b[i] = factor(i + matrix * matrix);
    });
    queue.parallel_for(sycl::range<1>(bodies), [from = from](sycl::id<1> i) { from[i] = place(i); });
    queue.parallel_for(sycl::range<1>(values), [data = data](sycl::id<1> i) { data[i] = value(i); });
    queue.parallel_for(sycl::range<1>(vector), [x = x, y = y](sycl::id<1> i) {
      x[i] = element(i);
      y[i] = element(i + 1);
    });
    queue.parallel_for(sycl::range<1>(numbers), [terms = terms](sycl::id<1> i) { terms[i] = number(i); });
    // An element of all matrices, then the next one.
    queue.parallel_for(sycl::range<1>(matrices * most_order * most_order), [elements = elements](sycl::id<1> i) {
      const std::size_t element = i / matrices;
      elements[i] = entry(i % matrices, element / most_order, element % most_order);
    });
    queue.wait_and_throw();
  }
  // Never freed: the process ends after the measurement.
  kernels(const kernels &) = delete;
  kernels &operator=(const kernels &) = delete;

  void matmul() {
    queue.submit([&](sycl::handler &group) {
      sycl::local_accessor<float, 2> tile_a({tile, tile}, group), tile_b({tile, tile}, group);
      group.parallel_for(sycl::nd_range<2>({matrix, matrix}, {tile, tile}), [=, a = a, b = b, c = c](
                                                                                sycl::nd_item<2> item) {
        const std::size_t row = item.get_global_id(0), column = item.get_global_id(1);
        const std::size_t v = item.get_local_id(0), u = item.get_local_id(1);
        float sum = 0;
        for (std::size_t first = 0; first < matrix; first += tile) {
          tile_a[v][u] = a[row * matrix + first + u];
          tile_b[v][u] = b[(first + v) * matrix + column];
          sycl::group_barrier(item.get_group());
          for (std::size_t k = 0; k < tile; k++)
            sum += tile_a[v][k] * tile_b[k][u];
          sycl::group_barrier(item.get_group());
        }
        c[row * matrix + column] = sum;
      });
    });
    queue.wait();
  }

  void nbody() {
    constexpr std::size_t group_size = 128;
    queue.submit([&](sycl::handler &group) {
      sycl::local_accessor<body, 1> near(sycl::range<1>(group_size), group);
      group.parallel_for(sycl::nd_range<1>(bodies, group_size), [=, from = from, to = to](sycl::nd_item<1> item) {
        const std::size_t i = item.get_global_id(0), l = item.get_local_id(0);
        const body self = from[i];
        body force = {0, 0, 0, 0};
        for (std::size_t first = 0; first < bodies; first += group_size) {
          near[l] = from[first + l];
          sycl::group_barrier(item.get_group());
          for (std::size_t k = 0; k < group_size; k++) {
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
    queue.wait();
  }

  void histogram() {
    constexpr std::size_t group_size = 256, group_count = 64;
    using sycl::access::address_space;
    queue.memset(counted, 0, bins * sizeof *counted);
    queue.submit([&](sycl::handler &group) {
      sycl::local_accessor<std::uint32_t, 1> counts(sycl::range<1>(bins), group);
      group.parallel_for(sycl::nd_range<1>(group_count * group_size, group_size),
                         [=, data = data, counted = counted](sycl::nd_item<1> item) {
                           const std::size_t l = item.get_local_id(0);
                           counts[l] = 0;
                           sycl::group_barrier(item.get_group());
                           for (std::size_t i = item.get_global_id(0); i < values; i += group_count * group_size)
                             sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                                              address_space::local_space>(counts[data[i]])
                                 .fetch_add(1u);
                           sycl::group_barrier(item.get_group());
                           sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                            address_space::global_space>(counted[l])
                               .fetch_add(counts[l]);
                         });
    });
    queue.wait();
  }

  void dot() {
    queue.submit([&](sycl::handler &group) {
      const sycl::property_list fresh{sycl::property::reduction::initialize_to_identity()};
      group.parallel_for(sycl::range<1>(vector), sycl::reduction(total, sycl::plus<double>(), fresh),
                         [x = x, y = y](sycl::id<1> i, auto &sum) { sum += x[i] * y[i]; });
    });
    queue.wait();
  }

  void sums() {
    queue.parallel_for(sycl::nd_range<1>(numbers, summed), [terms = terms, added = added](sycl::nd_item<1> item) {
      const float sum = sycl::reduce_over_group(item.get_group(), terms[item.get_global_id(0)], sycl::plus<float>());
      if (item.get_local_id(0) == 0)
        added[item.get_group(0)] = sum;
    });
    queue.wait();
  }

  void scans() {
    queue.parallel_for(sycl::nd_range<1>(numbers, summed), [terms = terms, scanned = scanned](sycl::nd_item<1> item) {
      const std::size_t i = item.get_global_id(0);
      scanned[i] = sycl::inclusive_scan_over_group(item.get_group(), terms[i], sycl::plus<float>());
    });
    queue.wait();
  }

  void determinants() {
    queue.parallel_for(sycl::nd_range<1>(matrices, 128),
                       [elements = elements, factors = factors, order = std::size_t(order)](sycl::nd_item<1> item) {
                         const std::size_t i = item.get_global_id(0);
                         float m[most_order][most_order];
                         for (std::size_t y = 0; y < order; y++)
                           for (std::size_t x = 0; x < order; x++)
                             m[y][x] = elements[(y * most_order + x) * matrices + i];
                         factors[i] = determinant(m, order, determinant_scale);
                       });
    queue.wait();
  }

  std::vector<float> product() { return read(c, matrix * matrix); }
  std::vector<body> force() { return read(to, bodies); }
  std::vector<std::uint32_t> counts() { return read(counted, bins); }
  double sum() { return read(total, 1)[0]; }
  std::vector<float> group_sums() { return read(added, numbers / summed); }
  std::vector<float> group_scans() { return read(scanned, numbers); }
  std::vector<float> all_determinants() { return read(factors, matrices); }

private:
  template <class T> T *allocate(std::size_t count) {
    T *memory = sycl::malloc_device<T>(count, queue);
    if (!memory) {
      std::fprintf(stderr, "no memory for %zu bytes\n", count * sizeof(T));
      std::exit(1);
    }
    return memory;
  }
  template <class T> std::vector<T> read(const T *memory, std::size_t count) {
    std::vector<T> host(count);
    queue.memcpy(host.data(), memory, count * sizeof(T)).wait();
    return host;
  }

  sycl::queue queue;
  float *a, *b, *c;
  body *from, *to;
  unsigned char *data;
  std::uint32_t *counted;
  double *x, *y, *total;
  float *terms, *added, *scanned, *elements, *factors;
  volatile std::size_t order = most_order;
};

} // namespace

int main(int argc, char **argv) {
  const int result = groups::measure<kernels>(argc, argv);
  // Each kernel once, and the six that fill the arrays; none in the timed rounds.
  bench::emit("translated", "kernels", {double(bench::counters().translated)});
  return result;
}
