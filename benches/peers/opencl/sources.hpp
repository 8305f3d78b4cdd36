// The kernels of cuda/kernels.cpp in OpenCL C, one string each.
#ifndef BENCHES_PEERS_OPENCL_SOURCES_HPP
#define BENCHES_PEERS_OPENCL_SOURCES_HPP

namespace sources {

struct kernel {
  const char *name, *text;
};

constexpr kernel all[] = {
    {"triad", R"(
kernel void triad(global double *a, global const double *b, global const double *c) {
  const size_t i = get_global_id(0);
  a[i] = b[i] + 0.4 * c[i];
}
)"},
    {"matmul", R"(
#define TILE 16
kernel void matmul(global const float *a, global const float *b, global float *c, int n) {
  local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int row = get_global_id(1), column = get_global_id(0), v = get_local_id(1), u = get_local_id(0);
  float sum = 0;
  for (int first = 0; first < n; first += TILE) {
    tile_a[v][u] = a[row * n + first + u];
    tile_b[v][u] = b[(first + v) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k++)
      sum += tile_a[v][k] * tile_b[k][u];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
)"},
    {"nbody", R"(
#define GROUP 256
typedef struct __attribute__((aligned(16))) {
  float x, y, z, mass;
} body;
kernel void nbody(global const body *from, global body *to, int n) {
  local body near[GROUP];
  const int i = get_global_id(0), l = get_local_id(0);
  const body self = from[i];
  body force = {0, 0, 0, 0};
  for (int first = 0; first < n; first += GROUP) {
    near[l] = from[first + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < GROUP; k++) {
      const float dx = near[k].x - self.x, dy = near[k].y - self.y, dz = near[k].z - self.z;
      const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      const float pull = near[k].mass * inverse * inverse * inverse;
      force.x += dx * pull;
      force.y += dy * pull;
      force.z += dz * pull;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  to[i] = force;
}
)"},
    {"reduction", R"(
#define GROUP 256
kernel void reduction(global const float *in, global float *out, uint n) {
  local float part[GROUP];
  const uint l = get_local_id(0), step = get_global_size(0);
  float mine = 0;
  for (uint i = get_global_id(0); i < n; i += step)
    mine += in[i];
  part[l] = mine;
  for (uint half_size = GROUP / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_size)
      part[l] += part[l + half_size];
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}
)"},
};

} // namespace sources

#endif
