// The kernels of cuda/fixed.cpp in OpenCL C: the same algorithms, tiles, work per item and
// functions.
#define GROUP 256
#define BINS 256

// Constants of include/gpu/fixed.hpp.
#define SOFTENING 0.01f
#define NEAR_WEIGHT 0.4f
#define FACE_WEIGHT 0.1f
constant float cube_weights[4] = {0.3f, 0.06f, 0.02f, 0.01f};
#define RATE 0.02f
#define VOLATILITY 0.3f
#define VIEW_LEFT -2.0
#define VIEW_TOP -1.5
#define VIEW_SIZE 3.0
#define ITERATION_LIMIT 1000

#define MATMUL(NAME, TILE)                                                                                             \
  kernel void NAME(global const float *a, global const float *b, global float *c, int n) {                             \
    local float tile_a[TILE][TILE], tile_b[TILE][TILE];                                                                \
    const int row = get_global_id(1), column = get_global_id(0), v = get_local_id(1), u = get_local_id(0);             \
    float sum = 0;                                                                                                     \
    for (int first = 0; first < n; first += TILE) {                                                                    \
      tile_a[v][u] = a[row * n + first + u];                                                                           \
      tile_b[v][u] = b[(first + v) * n + column];                                                                      \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
      for (int k = 0; k < TILE; k++)                                                                                   \
        sum += tile_a[v][k] * tile_b[k][u];                                                                            \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    }                                                                                                                  \
    c[row * n + column] = sum;                                                                                         \
  }
MATMUL(matmul16, 16)
MATMUL(matmul32, 32)

typedef struct __attribute__((aligned(16))) {
  float x, y, z, mass;
} body;

body attraction(body force, body self, body other) {
  const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
  const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
  const float pull = other.mass * inverse * inverse * inverse;
  force.x += dx * pull;
  force.y += dy * pull;
  force.z += dz * pull;
  return force;
}
kernel void nbody(global const body *from, global body *to, int n) {
  const int i = get_global_id(0);
  const body self = from[i];
  body force = {0, 0, 0, 0};
  for (int j = 0; j < n; j++)
    force = attraction(force, self, from[j]);
  to[i] = force;
}
kernel void nbody_tiled(global const body *from, global body *to, int n) {
  local body tile[GROUP];
  const int i = get_global_id(0), l = get_local_id(0);
  const body self = from[i];
  body force = {0, 0, 0, 0};
  for (int first = 0; first < n; first += GROUP) {
    tile[l] = from[first + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < GROUP; k++)
      force = attraction(force, self, tile[k]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  to[i] = force;
}

bool inner(int k, int side) { return k > 0 && k + 1 < side; }

kernel void stencil7(global const float *in, global float *out, int side) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int plane = side * side, i = z * plane + y * side + x;
  if (inner(x, side) && inner(y, side) && inner(z, side))
    out[i] = NEAR_WEIGHT * in[i] +
             FACE_WEIGHT * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side] + in[i - plane] + in[i + plane]);
  else
    out[i] = in[i];
}
kernel void stencil27(global const float *in, global float *out, int side) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int plane = side * side, i = z * plane + y * side + x;
  if (inner(x, side) && inner(y, side) && inner(z, side)) {
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

kernel void sum_tree(global const float *in, global float *out, uint n) {
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

kernel void histogram(global const uint *in, global uint *counted, uint n) {
  local uint counts[BINS];
  const uint l = get_local_id(0), step = get_global_size(0);
  counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += step) {
    uint word = in[i];
    for (int k = 0; k < 4; k++, word >>= 8)
      atomic_add(&counts[word & 255], 1u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counted[l], counts[l]);
}

// Cumulative normal distribution (Abramowitz and Stegun, 26.2.17).
float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  const float tail =
      0.39894228f * exp(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}
kernel void black_scholes(global const float *price, global const float *strike, global const float *years,
                          global float *call, global float *put) {
  const uint i = get_global_id(0);
  const float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
  const float d1 = (log(s / x) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * root);
  const float d2 = d1 - VOLATILITY * root;
  const float n1 = normal(d1), n2 = normal(d2), discounted = x * exp(-RATE * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}

#define MANDELBROT(NAME, T)                                                                                            \
  kernel void NAME(global int *out, int n) {                                                                           \
    const int x = get_global_id(0), y = get_global_id(1);                                                              \
    const T step = (T)VIEW_SIZE / (T)n;                                                                                \
    const T real = (T)VIEW_LEFT + (T)x * step, imaginary = (T)VIEW_TOP + (T)y * step;                                  \
    T a = 0, b = 0;                                                                                                    \
    int count = 0;                                                                                                     \
    while (count < ITERATION_LIMIT && a * a + b * b < (T)4) {                                                          \
      const T next = a * a - b * b + real;                                                                             \
      b = 2 * a * b + imaginary;                                                                                       \
      a = next;                                                                                                        \
      count++;                                                                                                         \
    }                                                                                                                  \
    out[y * n + x] = count;                                                                                            \
  }
MANDELBROT(mandelbrot_f32, float)
MANDELBROT(mandelbrot_f64, double)
