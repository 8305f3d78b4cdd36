// The kernels of cuda/kernels.cpp in CUDA C++, as strings for NVRTC.
#ifndef BENCHES_PEERS_SOURCES_HPP
#define BENCHES_PEERS_SOURCES_HPP

namespace sources {

struct kernel {
  const char *name, *text;
};

constexpr kernel all[] = {
    {"triad", R"(
extern "C" __global__ void triad(double *a, const double *b, const double *c, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] + 0.4 * c[i];
}
)"},
    {"matmul", R"(
constexpr int tile = 16;
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float tile_a[tile][tile], tile_b[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  const int v = threadIdx.y, u = threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    tile_a[v][u] = a[row * n + first + u];
    tile_b[v][u] = b[(first + v) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; k++)
      sum += tile_a[v][k] * tile_b[k][u];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
)"},
    {"nbody", R"(
constexpr int group_size = 256;
struct alignas(16) body {
  float x, y, z, mass;
};
extern "C" __global__ void nbody(const body *from, body *to, int n) {
  __shared__ body near[group_size];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  const body self = from[i];
  body force = {0, 0, 0, 0};
  for (int first = 0; first < n; first += group_size) {
    near[l] = from[first + l];
    __syncthreads();
    for (int k = 0; k < group_size; k++) {
      const float dx = near[k].x - self.x, dy = near[k].y - self.y, dz = near[k].z - self.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float pull = near[k].mass * inverse * inverse * inverse;
      force.x += dx * pull;
      force.y += dy * pull;
      force.z += dz * pull;
    }
    __syncthreads();
  }
  to[i] = force;
}
)"},
    {"reduction", R"(
constexpr unsigned group_size = 256;
extern "C" __global__ void reduction(const float *in, float *out, unsigned n) {
  __shared__ float part[group_size];
  const unsigned l = threadIdx.x, step = gridDim.x * blockDim.x;
  float mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
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
)"},
};

} // namespace sources

#endif
