// The peer of cuda/stream.cpp in the usual style of CUDA C++: 128 threads per block if Sinter
// chooses the size, else 256. The dot product has four sums per thread, like Sinter's reductions,
// and a second version with NVIDIA's library.
#include "gpu/cuda.cuh"
#include "gpu/reduce.cuh"
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

struct product {
  const double *a, *b;
  __device__ double operator()(unsigned i) const { return a[i] * b[i]; }
};

class kernels {
public:
  static constexpr bool has_library = gpu::has_library;

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
    gpu::sum(product{d.a, d.b}, parts, gpu::stream::reduction_groups, d.sum, d.count);
  }
#ifdef BENCH_HAS_LIBRARY
  void dot_library(const data &d) { library.sum_of(product{d.a, d.b}, d.sum, d.count); }
#endif
  std::string copy_chosen(const data &) { return "128"; }
  std::string mul_chosen(const data &) { return "128"; }
  std::string add_chosen(const data &) { return "128"; }
  std::string triad_chosen(const data &) { return "128"; }

private:
  template <class K> void one(K kernel, const data &d, std::size_t size) {
    gpu::launch(kernel, gpu::groups(d.count, size), size, d.a, d.c, d.count);
  }
  template <class K> void two(K kernel, const data &d, std::size_t size) {
    gpu::launch(kernel, gpu::groups(d.count, size), size, d.a, d.b, d.c, d.count);
  }

  double *parts;
#ifdef BENCH_HAS_LIBRARY
  gpu::library library;
#endif
};

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::cuda_device device;
  kernels peer(device);
  const auto tests = gpu::stream::tests(device, peer, gpu::stream::elements(chosen));
  return gpu::run(device, tests, chosen);
}
