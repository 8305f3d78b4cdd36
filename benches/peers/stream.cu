// The peer of cuda/stream.cpp: what one writes in CUDA C++, 128 threads a block where Sinter chooses, else 256.
#include "gpu/cuda.cuh"
#include "gpu/stream.hpp"

namespace {

using gpu::stream::scalar;
using data = gpu::stream::arrays<gpu::cuda_device>;

__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void copy(const double *a, double *c, unsigned n) {
  const unsigned i = index();
  if (i < n)
    c[i] = a[i];
}
__global__ void mul(const double *a, double *c, unsigned n) {
  const unsigned i = index();
  if (i < n)
    c[i] = scalar * a[i];
}
__global__ void add(const double *a, const double *b, double *c, unsigned n) {
  const unsigned i = index();
  if (i < n)
    c[i] = a[i] + b[i];
}
__global__ void triad(const double *a, const double *b, double *c, unsigned n) {
  const unsigned i = index();
  if (i < n)
    c[i] = a[i] + scalar * b[i];
}

constexpr unsigned threads = 256;

// Adds up a block's values; thread 0 has the result.
__device__ double tree(double value) {
  __shared__ double part[threads];
  part[threadIdx.x] = value;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  return part[0];
}
__global__ void dot_groups(const double *a, const double *b, double *parts, unsigned n) {
  double sum = 0;
  for (unsigned i = index(); i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  sum = tree(sum);
  if (threadIdx.x == 0)
    parts[blockIdx.x] = sum;
}
__global__ void dot_total(const double *parts, double *total, unsigned n) {
  double sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += threads)
    sum += parts[i];
  sum = tree(sum);
  if (threadIdx.x == 0)
    *total = sum;
}

class kernels {
public:
  explicit kernels(gpu::cuda_device &device) : parts(device.allocate<double>(gpu::stream::reduction_groups)) {}

  void plain(const data &d) {
    gpu::must(cudaMemcpyAsync(d.c, d.a, d.count * sizeof(double), cudaMemcpyDeviceToDevice), "cudaMemcpy");
  }
  void copy_range(const data &d) { one(copy, d, 128); }
  void mul_range(const data &d) { one(mul, d, 128); }
  void add_range(const data &d) { two(add, d, 128); }
  void triad_range(const data &d) { two(triad, d, 128); }
  void copy_groups(const data &d) { one(copy, d, gpu::stream::group_size); }
  void mul_groups(const data &d) { one(mul, d, gpu::stream::group_size); }
  void add_groups(const data &d) { two(add, d, gpu::stream::group_size); }
  void triad_groups(const data &d) { two(triad, d, gpu::stream::group_size); }
  void dot(const data &d) {
    const std::size_t groups = gpu::stream::reduction_groups;
    gpu::launch(dot_groups, groups, threads, d.a, d.b, parts, d.count);
    gpu::launch(dot_total, 1, threads, parts, d.sum, groups);
  }

private:
  template <class K> void one(K kernel, const data &d, std::size_t size) {
    gpu::launch(kernel, gpu::groups(d.count, size), size, d.a, d.c, d.count);
  }
  template <class K> void two(K kernel, const data &d, std::size_t size) {
    gpu::launch(kernel, gpu::groups(d.count, size), size, d.a, d.b, d.c, d.count);
  }

  double *parts;
};

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::cuda_device device;
  kernels peer(device);
  const auto tests = gpu::stream::tests(device, peer, chosen.size(std::size_t(1) << 28, 1 << 18));
  return gpu::run(device, tests, chosen);
}
