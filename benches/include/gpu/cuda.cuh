// The device of the peers, on the CUDA runtime: the counterpart of sycl.hpp for Sinter's programs.
#ifndef BENCHES_GPU_CUDA_CUH
#define BENCHES_GPU_CUDA_CUH

#include "compare.hpp"

#include <cuda_runtime.h>

namespace gpu {

// Math functions that both sides and the reference share.
namespace math {
using ::cos, ::erf, ::exp, ::fabs, ::floor, ::log, ::rint, ::sin, ::sqrt;

BENCH_SHARED std::uint64_t mul_hi(std::uint64_t a, std::uint64_t b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
#endif
}
} // namespace math

inline void must(cudaError_t status, const char *what) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

inline unsigned groups(std::size_t count, std::size_t size) { return static_cast<unsigned>((count + size - 1) / size); }

// Launches on the default stream, arguments converted as in a call.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, Arguments... arguments) {
  kernel<<<grid, block>>>(static_cast<Parameters>(arguments)...);
  must(cudaGetLastError(), "launch");
}

template <class T> __global__ void randomize(T *memory, std::size_t count, std::uint32_t seed, T low, T high) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < count)
    memory[i] = random_real<T>(seed, i, low, high);
}
static __global__ void randomize_words(std::uint32_t *memory, std::size_t count, std::uint32_t seed) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < count)
    memory[i] = random_word(seed, i);
}
static __global__ void count_poison(const std::uint32_t *words, std::size_t per, std::size_t count,
                                    std::uint32_t *counter) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i >= count)
    return;
  std::uint32_t all = ~0u;
  for (std::size_t k = 0; k < per; k++)
    all &= words[i * per + k];
  if (all == ~0u)
    atomicAdd(counter, 1u);
}

class cuda_device {
public:
  cuda_device() : counter(allocate<std::uint32_t>(1)) {}

  template <class T> T *allocate(std::size_t count) {
    void *memory = nullptr;
    must(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
    return static_cast<T *>(memory);
  }
  template <class T> T *random(std::size_t count, std::uint32_t seed, T low, T high) {
    T *memory = allocate<T>(count);
    launch(randomize<T>, groups(count, 256), 256, memory, count, seed, low, high);
    return memory;
  }
  std::uint32_t *random_words(std::size_t count, std::uint32_t seed) {
    std::uint32_t *memory = allocate<std::uint32_t>(count);
    launch(randomize_words, groups(count, 256), 256, memory, count, seed);
    return memory;
  }
  template <class T> void poison(T *memory, std::size_t count) {
    must(cudaMemsetAsync(memory, 0xff, count * sizeof(T)), "cudaMemset");
  }
  template <class T> void clear(T *memory, std::size_t count) {
    must(cudaMemsetAsync(memory, 0, count * sizeof(T)), "cudaMemset");
  }
  template <class T> void copy(T *to, const T *from, std::size_t count) {
    must(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice), "cudaMemcpy on the device");
  }
  template <class T> std::size_t poisoned(const T *memory, std::size_t count) {
    const auto *words = reinterpret_cast<const std::uint32_t *>(memory);
    must(cudaMemsetAsync(counter, 0, sizeof *counter), "cudaMemset");
    launch(count_poison, groups(count, 256), 256, words, sizeof(T) / sizeof(std::uint32_t), count, counter);
    return read(counter, 1)[0];
  }
  template <class T> std::vector<T> read(const T *memory, std::size_t count) {
    std::vector<T> host(count);
    must(cudaMemcpy(host.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy to the host");
    return host;
  }
  template <class T> void write(T *memory, const std::vector<T> &host) {
    must(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy to the device");
  }
  template <class T> T *upload(const std::vector<T> &host) {
    T *memory = allocate<T>(host.size());
    write(memory, host);
    return memory;
  }
  void wait() { must(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }
  std::string name() const {
    cudaDeviceProp properties;
    must(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    return properties.name;
  }
  bool is_gpu() const { return true; }

private:
  std::uint32_t *counter;
};

} // namespace gpu

#endif
