// The kernels of the fixed suite in SYCL 2020, beside peers/fixed.cu.
#include "gpu/fixed.hpp"
#include "gpu/sycl.hpp"

namespace {

using namespace gpu::fixed;
using sycl::access::address_space;

template <sycl::memory_scope Scope, address_space Space, class T> void count_one(T &value, T by) {
  sycl::atomic_ref<T, sycl::memory_order::relaxed, Scope, Space>(value).fetch_add(by);
}

body attraction(body force, const body &self, const body &other) {
  const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
  const float inverse = sycl::rsqrt(dx * dx + dy * dy + dz * dz + softening);
  const float pull = other.mass * inverse * inverse * inverse;
  force.x += dx * pull;
  force.y += dy * pull;
  force.z += dz * pull;
  return force;
}

// Cumulative normal distribution (Abramowitz and Stegun, 26.2.17).
float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * sycl::fabs(d));
  const float tail =
      0.39894228f * sycl::exp(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

void stencil_of_faces(const float *in, float *out, int side, int x, int y, int z) {
  const int plane = side * side, i = z * plane + y * side + x;
  if (x > 0 && x + 1 < side && y > 0 && y + 1 < side && z > 0 && z + 1 < side)
    out[i] = near_weight * in[i] +
             face_weight * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side] + in[i - plane] + in[i + plane]);
  else
    out[i] = in[i];
}

auto faces(const float *in, float *out, std::size_t side) {
  return [=, n = int(side)](sycl::id<3> i) { stencil_of_faces(in, out, n, i[2], i[1], i[0]); };
}

void stencil_of_cube(const float *in, float *out, int side, int x, int y, int z) {
  const int plane = side * side, i = z * plane + y * side + x;
  if (x > 0 && x + 1 < side && y > 0 && y + 1 < side && z > 0 && z + 1 < side) {
    float sum = 0;
    for (int dz = -1; dz <= 1; dz++)
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          sum += cube_weights[dz * dz + dy * dy + dx * dx] * in[i + dz * plane + dy * side + dx];
    out[i] = sum;
  } else {
    out[i] = in[i];
  }
}

class kernels {
public:
  static constexpr bool has_library = false;

  explicit kernels(gpu::sycl_device &on)
      : device(on), queue(on.queue), parts(on.allocate<float>(striding_groups)) {}

  template <int Tile> void matmul(const float *a, const float *b, float *c, std::size_t size) {
    queue.submit([&](sycl::handler &group) {
      sycl::local_accessor<float, 1> tile_a(Tile * Tile, group), tile_b(Tile * Tile, group);
      group.parallel_for(sycl::nd_range<2>({size, size}, {Tile, Tile}), [=, n = int(size)](sycl::nd_item<2> item) {
        const int row = item.get_global_id(0), column = item.get_global_id(1);
        const int v = item.get_local_id(0), u = item.get_local_id(1);
        float sum = 0;
        for (int first = 0; first < n; first += Tile) {
          tile_a[v * Tile + u] = a[row * n + first + u];
          tile_b[v * Tile + u] = b[(first + v) * n + column];
          sycl::group_barrier(item.get_group());
          for (int k = 0; k < Tile; k++)
            sum += tile_a[v * Tile + k] * tile_b[k * Tile + u];
          sycl::group_barrier(item.get_group());
        }
        c[row * n + column] = sum;
      });
    });
  }
  void matmul_2d(const float *a, const float *b, float *c, std::size_t size) {
    constexpr int tile = 16;
    queue.submit([&](sycl::handler &group) {
      sycl::local_accessor<float, 2> tile_a({tile, tile}, group), tile_b({tile, tile}, group);
      group.parallel_for(sycl::nd_range<2>({size, size}, {tile, tile}), [=, n = size](sycl::nd_item<2> item) {
        const std::size_t row = item.get_global_id(0), column = item.get_global_id(1);
        const std::size_t v = item.get_local_id(0), u = item.get_local_id(1);
        float sum = 0;
        for (std::size_t first = 0; first < n; first += tile) {
          tile_a[v][u] = a[row * n + first + u];
          tile_b[v][u] = b[(first + v) * n + column];
          sycl::group_barrier(item.get_group());
          for (std::size_t k = 0; k < tile; k++)
            sum += tile_a[v][k] * tile_b[k][u];
          sycl::group_barrier(item.get_group());
        }
        c[row * n + column] = sum;
      });
    });
  }

  void nbody(const body *from, body *to, std::size_t count) {
    queue.parallel_for(sycl::nd_range<1>(count, group_size), [=, n = int(count)](sycl::nd_item<1> item) {
      const int i = item.get_global_id(0);
      const body self = from[i];
      body force = {0, 0, 0, 0};
      for (int j = 0; j < n; j++)
        force = attraction(force, self, from[j]);
      to[i] = force;
    });
  }
  void nbody_tiled(const body *from, body *to, std::size_t count) {
    queue.submit([&](sycl::handler &group) {
      sycl::local_accessor<body, 1> tile(group_size, group);
      group.parallel_for(sycl::nd_range<1>(count, group_size), [=, n = int(count)](sycl::nd_item<1> item) {
        const int i = item.get_global_id(0), l = item.get_local_id(0);
        const body self = from[i];
        body force = {0, 0, 0, 0};
        for (int first = 0; first < n; first += int(group_size)) {
          tile[l] = from[first + l];
          sycl::group_barrier(item.get_group());
          for (int k = 0; k < int(group_size); k++)
            force = attraction(force, self, tile[k]);
          sycl::group_barrier(item.get_group());
        }
        to[i] = force;
      });
    });
  }

  void stencil7(const float *in, float *out, std::size_t side) {
    queue.parallel_for(grid(side), [=, n = int(side)](sycl::nd_item<3> item) {
      stencil_of_faces(in, out, n, item.get_global_id(2), item.get_global_id(1), item.get_global_id(0));
    });
  }
  void stencil7_range(const float *in, float *out, std::size_t side) {
    queue.parallel_for(sycl::range<3>(side, side, side), faces(in, out, side));
  }
  std::string stencil7_chosen(const float *in, float *out, std::size_t side) {
    return device.chosen_group(sycl::range<3>(side, side, side), faces(in, out, side));
  }
  void stencil27(const float *in, float *out, std::size_t side) {
    queue.parallel_for(grid(side), [=, n = int(side)](sycl::nd_item<3> item) {
      stencil_of_cube(in, out, n, item.get_global_id(2), item.get_global_id(1), item.get_global_id(0));
    });
  }

  void sum(const float *in, float *total, std::size_t count) {
    queue.submit([&](sycl::handler &group) {
      const sycl::property_list fresh{sycl::property::reduction::initialize_to_identity()};
      group.parallel_for(sycl::range<1>(count), sycl::reduction(total, sycl::plus<float>(), fresh),
                         [=](sycl::id<1> i, auto &result) { result += in[i]; });
    });
  }
  void sum_tree(const float *in, float *total, std::size_t count) {
    tree(in, parts, count, striding_groups);
    tree(parts, total, striding_groups, 1);
  }

  void histogram(const std::uint32_t *in, std::uint32_t *counted, std::size_t words) {
    static_assert(bins == group_size);
    queue.memset(counted, 0, bins * sizeof *counted);
    queue.submit([&](sycl::handler &group) {
      sycl::local_accessor<std::uint32_t, 1> counts(bins, group);
      group.parallel_for(
          sycl::nd_range<1>(striding_groups * group_size, group_size), [=, n = unsigned(words)](sycl::nd_item<1> item) {
            const unsigned l = item.get_local_id(0);
            counts[l] = 0;
            sycl::group_barrier(item.get_group());
            const unsigned step = item.get_global_range(0);
            for (unsigned i = item.get_global_id(0); i < n; i += step) {
              std::uint32_t word = in[i];
              for (int k = 0; k < 4; k++, word >>= 8)
                count_one<sycl::memory_scope::work_group, address_space::local_space>(counts[word & 255], 1u);
            }
            sycl::group_barrier(item.get_group());
            count_one<sycl::memory_scope::device, address_space::global_space>(counted[l], counts[l]);
          });
    });
  }

  void black_scholes(const float *price, const float *strike, const float *years, float *call, float *put,
                     std::size_t count) {
    queue.parallel_for(sycl::nd_range<1>(count, group_size), [=](sycl::nd_item<1> item) {
      const unsigned i = item.get_global_id(0);
      const float s = price[i], x = strike[i], t = years[i], root = sycl::sqrt(t);
      const float d1 = (sycl::log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
      const float d2 = d1 - volatility * root;
      const float n1 = normal(d1), n2 = normal(d2), discounted = x * sycl::exp(-rate * t);
      call[i] = s * n1 - discounted * n2;
      put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    });
  }

  template <class T> void mandelbrot(int *out, std::size_t side) {
    queue.parallel_for(sycl::nd_range<2>({side, side}, {16, 16}), [=, n = int(side)](sycl::nd_item<2> item) {
      const int x = item.get_global_id(1), y = item.get_global_id(0);
      const T step = T(view_size) / T(n);
      const T real = T(view_left) + T(x) * step, imaginary = T(view_top) + T(y) * step;
      T a = 0, b = 0;
      int count = 0;
      while (count < iteration_limit && a * a + b * b < T(4)) {
        const T next = a * a - b * b + real;
        b = 2 * a * b + imaginary;
        a = next;
        count++;
      }
      out[y * n + x] = count;
    });
  }

private:
  static sycl::nd_range<3> grid(std::size_t side) { return {{side, side, side}, {block_z, block_y, block_x}}; }

  void tree(const float *in, float *out, std::size_t count, std::size_t groups) {
    queue.submit([&](sycl::handler &group) {
      sycl::local_accessor<float, 1> part(group_size, group);
      group.parallel_for(sycl::nd_range<1>(groups * group_size, group_size),
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

  gpu::sycl_device &device;
  sycl::queue &queue;
  float *parts;
};

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::sycl_device device;
  kernels ours(device);
  gpu::fixed::suite suite(device, ours, gpu::fixed::sizes::of(chosen));
  return gpu::run(device, suite.tests(), chosen);
}
