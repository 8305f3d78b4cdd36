// Fast sums on the GPU: hand-written, and by NVIDIA's library if the toolkit has it.
#ifndef BENCHES_GPU_REDUCE_CUH
#define BENCHES_GPU_REDUCE_CUH

#include "cuda.cuh"

#if defined(__has_include)
#if __has_include(<cub/device/device_reduce.cuh>) && __has_include(<thrust/iterator/counting_iterator.h>)
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#define BENCH_HAS_LIBRARY
#endif
#endif

namespace gpu {

constexpr unsigned reduction_threads = 256;

// Sums the values of a block; the result is in thread 0.
template <class T> __device__ T tree(T value) {
  __shared__ T part[reduction_threads];
  part[threadIdx.x] = value;
  for (unsigned half = reduction_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  return part[0];
}

// Four sums per thread, so that four loads are in flight.
template <class T, class F> __global__ void sum_groups(F value, T *parts, unsigned n) {
  const unsigned step = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T sums[4] = {};
  for (; i + 3 * step < n; i += 4 * step)
    for (unsigned k = 0; k < 4; k++)
      sums[k] += value(i + k * step);
  for (; i < n; i += step)
    sums[0] += value(i);
  const T sum = tree((sums[0] + sums[1]) + (sums[2] + sums[3]));
  if (threadIdx.x == 0)
    parts[blockIdx.x] = sum;
}
template <class T> __global__ void sum_parts(const T *parts, T *total, unsigned n) {
  T sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += reduction_threads)
    sum += parts[i];
  sum = tree(sum);
  if (threadIdx.x == 0)
    *total = sum;
}

// The sum of value(i) for i < n.
template <class T, class F> void sum(F value, T *parts, std::size_t groups, T *total, std::size_t n) {
  launch(sum_groups<T, F>, groups, reduction_threads, value, parts, n);
  launch(sum_parts<T>, 1, reduction_threads, parts, total, groups);
}

#ifdef BENCH_HAS_LIBRARY
constexpr bool has_library = true;

struct plus {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};

// A library call with its temporary memory, which is allocated by the first call.
class library {
public:
  template <class T> void sum(const T *in, T *total, std::size_t n) {
    call([=](void *memory, std::size_t &size) { return cub::DeviceReduce::Sum(memory, size, in, total, n); });
  }
  template <class T, class F> void sum_of(F value, T *total, std::size_t n) {
    const thrust::counting_iterator<unsigned> numbers(0);
    call([=](void *memory, std::size_t &size) {
      return cub::DeviceReduce::TransformReduce(memory, size, numbers, total, n, plus(), value, T(0));
    });
  }

private:
  template <class F> void call(const F &reduce) {
    if (!temporary) {
      must(reduce(nullptr, bytes), "the size of cub's memory");
      must(cudaMalloc(&temporary, bytes), "cudaMalloc");
    }
    must(reduce(temporary, bytes), "cub::DeviceReduce");
  }

  void *temporary = nullptr;
  std::size_t bytes = 0;
};
#else
constexpr bool has_library = false;
#endif

} // namespace gpu

#endif
