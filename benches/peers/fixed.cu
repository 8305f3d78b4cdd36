// The peer of cuda/fixed.cpp in CUDA C++: the same algorithms, tiles, work per thread and
// functions. `sum` has four sums per thread, like Sinter's reductions, and a second version with
// NVIDIA's library.
#include "gpu/cuda.cuh"
#include "gpu/fixed.hpp"
#include "gpu/reduce.cuh"

namespace {

using namespace gpu::fixed;

__device__ int index_x() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int index_y() { return blockIdx.y * blockDim.y + threadIdx.y; }
__device__ int index_z() { return blockIdx.z * blockDim.z + threadIdx.z; }

template <int Tile> __global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float tile_a[Tile][Tile], tile_b[Tile][Tile];
  const int row = index_y(), column = index_x(), v = threadIdx.y, u = threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += Tile) {
    tile_a[v][u] = a[row * n + first + u];
    tile_b[v][u] = b[(first + v) * n + column];
    __syncthreads();
    for (int k = 0; k < Tile; k++)
      sum += tile_a[v][k] * tile_b[k][u];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__device__ body attraction(body force, const body &self, const body &other) {
  const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
  const float pull = other.mass * inverse * inverse * inverse;
  force.x += dx * pull;
  force.y += dy * pull;
  force.z += dz * pull;
  return force;
}
__global__ void nbody(const body *from, body *to, int n) {
  const int i = index_x();
  const body self = from[i];
  body force = {0, 0, 0, 0};
  for (int j = 0; j < n; j++)
    force = attraction(force, self, from[j]);
  to[i] = force;
}
__global__ void nbody_tiled(const body *from, body *to, int n) {
  __shared__ body tile[group_size];
  const int i = index_x(), l = threadIdx.x;
  const body self = from[i];
  body force = {0, 0, 0, 0};
  for (int first = 0; first < n; first += int(group_size)) {
    tile[l] = from[first + l];
    __syncthreads();
    for (int k = 0; k < int(group_size); k++)
      force = attraction(force, self, tile[k]);
    __syncthreads();
  }
  to[i] = force;
}

__device__ bool inner(int k, int side) { return k > 0 && k + 1 < side; }

__global__ void stencil7(const float *in, float *out, int side) {
  const int x = index_x(), y = index_y(), z = index_z();
  const int plane = side * side, i = z * plane + y * side + x;
  if (inner(x, side) && inner(y, side) && inner(z, side))
    out[i] = near_weight * in[i] +
             face_weight * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side] + in[i - plane] + in[i + plane]);
  else
    out[i] = in[i];
}
__global__ void stencil27(const float *in, float *out, int side) {
  const int x = index_x(), y = index_y(), z = index_z();
  const int plane = side * side, i = z * plane + y * side + x;
  constexpr float weights[4] = {cube_weights[0], cube_weights[1], cube_weights[2], cube_weights[3]};
  if (inner(x, side) && inner(y, side) && inner(z, side)) {
    float sum = 0;
    for (int dz = -1; dz <= 1; dz++)
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          sum += weights[dz * dz + dy * dy + dx * dx] * in[i + dz * plane + dy * side + dx];
    out[i] = sum;
  } else {
    out[i] = in[i];
  }
}

__global__ void sum_tree(const float *in, float *out, unsigned n) {
  __shared__ float part[group_size];
  const unsigned l = threadIdx.x, step = gridDim.x * blockDim.x;
  float mine = 0;
  for (unsigned i = index_x(); i < n; i += step)
    mine += in[i];
  part[l] = mine;
  for (unsigned half = group_size / 2; half > 0; half /= 2) {
    __syncthreads();
    if (l < half)
      part[l] += part[l + half];
  }
  if (l == 0)
    out[blockIdx.x] = part[0];
}

__global__ void histogram(const std::uint32_t *in, std::uint32_t *counted, unsigned n) {
  __shared__ std::uint32_t counts[bins];
  const unsigned l = threadIdx.x, step = gridDim.x * blockDim.x;
  counts[l] = 0;
  __syncthreads();
  for (unsigned i = index_x(); i < n; i += step) {
    std::uint32_t word = in[i];
    for (int k = 0; k < 4; k++, word >>= 8)
      atomicAdd(&counts[word & 255], 1u);
  }
  __syncthreads();
  atomicAdd(&counted[l], counts[l]);
}

// Cumulative normal distribution (Abramowitz and Stegun, 26.2.17).
__device__ float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}
__global__ void black_scholes(const float *price, const float *strike, const float *years, float *call, float *put) {
  const unsigned i = index_x();
  const float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
  const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  const float d2 = d1 - volatility * root;
  const float n1 = normal(d1), n2 = normal(d2), discounted = x * expf(-rate * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}

template <class T> __global__ void mandelbrot(int *out, int n) {
  const int x = index_x(), y = index_y();
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
}

struct element {
  const float *in;
  __device__ float operator()(unsigned i) const { return in[i]; }
};

class kernels {
public:
  static constexpr bool has_library = gpu::has_library;

  explicit kernels(gpu::cuda_device &device) : parts(device.allocate<float>(striding_groups)) {}

  template <int Tile> void matmul(const float *a, const float *b, float *c, std::size_t n) {
    const unsigned groups = gpu::groups(n, Tile);
    gpu::launch(::matmul<Tile>, dim3(groups, groups), dim3(Tile, Tile), a, b, c, n);
  }
  // Indexing of a two-dimensional array is the same as in matmul.
  void matmul_2d(const float *a, const float *b, float *c, std::size_t n) { matmul<16>(a, b, c, n); }
  void nbody(const body *from, body *to, std::size_t n) {
    gpu::launch(::nbody, gpu::groups(n, group_size), group_size, from, to, n);
  }
  void nbody_tiled(const body *from, body *to, std::size_t n) {
    gpu::launch(::nbody_tiled, gpu::groups(n, group_size), group_size, from, to, n);
  }
  void stencil7(const float *in, float *out, std::size_t side) { grid(::stencil7, in, out, side); }
  void stencil7_range(const float *in, float *out, std::size_t side) { grid(::stencil7, in, out, side); }
  void stencil27(const float *in, float *out, std::size_t side) { grid(::stencil27, in, out, side); }
  std::string stencil7_chosen(const float *, float *, std::size_t) { return "32x4x2"; }
  void sum(const float *in, float *total, std::size_t n) {
    gpu::sum(element{in}, parts, striding_groups, total, n);
  }
#ifdef BENCH_HAS_LIBRARY
  void sum_library(const float *in, float *total, std::size_t n) { library.sum(in, total, n); }
#endif
  void sum_tree(const float *in, float *total, std::size_t n) {
    gpu::launch(::sum_tree, striding_groups, group_size, in, parts, n);
    gpu::launch(::sum_tree, 1, group_size, parts, total, striding_groups);
  }
  void histogram(const std::uint32_t *in, std::uint32_t *counted, std::size_t n) {
    gpu::must(cudaMemsetAsync(counted, 0, bins * sizeof *counted), "cudaMemset");
    gpu::launch(::histogram, striding_groups, group_size, in, counted, n);
  }
  void black_scholes(const float *price, const float *strike, const float *years, float *call, float *put,
                     std::size_t n) {
    gpu::launch(::black_scholes, gpu::groups(n, group_size), group_size, price, strike, years, call, put);
  }
  template <class T> void mandelbrot(int *out, std::size_t side) {
    const unsigned groups = gpu::groups(side, 16);
    gpu::launch(::mandelbrot<T>, dim3(groups, groups), dim3(16, 16), out, side);
  }

private:
  template <class K> void grid(K kernel, const float *in, float *out, std::size_t side) {
    const dim3 groups(gpu::groups(side, block_x), gpu::groups(side, block_y), gpu::groups(side, block_z));
    gpu::launch(kernel, groups, dim3(block_x, block_y, block_z), in, out, side);
  }

  float *parts;
#ifdef BENCH_HAS_LIBRARY
  gpu::library library;
#endif
};

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::cuda_device device;
  kernels peer(device);
  gpu::fixed::suite suite(device, peer, gpu::fixed::sizes::of(chosen));
  return gpu::run(device, suite.tests(), chosen);
}
