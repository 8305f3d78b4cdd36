// The peer of cuda/special.cpp in CUDA C++: the same kernels with the values as arguments.
#include "gpu/cuda.cuh"
#include "gpu/special.hpp"

namespace {

using namespace gpu::special;

__device__ int index_x() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int index_y() { return blockIdx.y * blockDim.y + threadIdx.y; }
__device__ int index_z() { return blockIdx.z * blockDim.z + threadIdx.z; }

__global__ void polynomial(const float *factors, const float *in, float *out, int order) {
  const unsigned i = index_x();
  float x = in[i];
  for (int round = 0; round < polynomial_rounds; round++) {
    float sum = 0;
    for (int k = order; k >= 0; k--)
      sum = sum * x + factors[k];
    x = sum;
  }
  out[i] = x;
}

__global__ void star(const float *weights, const float *in, float *out, int n, int radius) {
  const int x = index_x(), y = index_y(), z = index_z();
  const int plane = n * n, i = z * plane + y * n + x;
  if (x < radius || x + radius >= n || y < radius || y + radius >= n || z < radius || z + radius >= n) {
    out[i] = in[i];
    return;
  }
  float sum = weights[0] * in[i];
  for (int r = 1; r <= radius; r++)
    sum += weights[r] * (in[i - r] + in[i + r] + in[i - r * n] + in[i + r * n] + in[i - r * plane] + in[i + r * plane]);
  out[i] = sum;
}

__global__ void filter(const float *weights, const float *in, float *out, int n, int size) {
  const int column = index_x(), row = index_y(), stride = n + size - 1;
  float sum = 0;
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      sum += weights[y * size + x] * in[(row + y) * stride + column + x];
  out[row * n + column] = sum;
}

__global__ void small_matrices(const float *a, const float *b, float *c, int size) {
  const int i = index_x();
  const int first = i / (size * size) * size * size, row = i / size % size, column = i % size;
  float sum = 0;
  for (int k = 0; k < size; k++)
    sum += a[first + row * size + k] * b[first + k * size + column];
  c[i] = sum;
}

__global__ void switches(const float *in, float *out, int shape, int clamp, int damp, int drift) {
  const unsigned i = index_x();
  float x = in[i];
  for (int round = 0; round < switch_rounds; round++)
    x = switched<float>(x, shape, clamp, damp, drift);
  out[i] = x;
}

struct kernels {
  void polynomial(const float *factors, const float *in, float *out, std::size_t count, int order) {
    gpu::launch(::polynomial, gpu::groups(count, group_size), group_size, factors, in, out, order);
  }
  void star(const float *weights, const float *in, float *out, std::size_t side, int radius) {
    const dim3 groups(gpu::groups(side, 32), gpu::groups(side, 4), gpu::groups(side, 2));
    gpu::launch(::star, groups, dim3(32, 4, 2), weights, in, out, side, radius);
  }
  void filter(const float *weights, const float *in, float *out, std::size_t side, int size) {
    const dim3 groups(gpu::groups(side, 32), gpu::groups(side, 8));
    gpu::launch(::filter, groups, dim3(32, 8), weights, in, out, side, size);
  }
  void small_matrices(const float *a, const float *b, float *c, std::size_t count, int size) {
    gpu::launch(::small_matrices, gpu::groups(count, group_size), group_size, a, b, c, size);
  }
  void switches(const float *in, float *out, std::size_t count, const choice &v) {
    gpu::launch(::switches, gpu::groups(count, group_size), group_size, in, out, v.shape, v.clamp, v.damp, v.drift);
  }
};

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::cuda_device device;
  kernels peer;
  gpu::special::suite suite(device, peer, gpu::special::sizes::of(chosen));
  return gpu::run(device, suite.tests(), chosen);
}
