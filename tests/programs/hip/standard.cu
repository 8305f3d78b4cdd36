// levels: 0 2
// CUDA's C++ library: the C++ library in kernels, and atomic types with a scope.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

struct State {
  cuda::atomic<int, cuda::thread_scope_device> count{0};
  cuda::atomic<unsigned long long> bits{0};
  cuda::atomic<int, cuda::thread_scope_device> flag{0};
  cuda::std::atomic<int> plain{0};
  float sum = 0;
  double least = cuda::std::numeric_limits<double>::infinity();
  int largest = 0, message = 0;
  float real = 0, magnitude = 0;
  double root = 0;
};

__global__ void update(State *state) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ cuda::atomic<int, cuda::thread_scope_block> of_block;
  if (threadIdx.x == 0)
    new (&of_block) cuda::atomic<int, cuda::thread_scope_block>(0);
  __syncthreads();
  ++of_block;
  __syncthreads();
  if (threadIdx.x == 0)
    state->count.fetch_add(of_block.load(), cuda::memory_order_relaxed);
  state->bits |= 1ull << i % 64;
  state->plain++;
  cuda::atomic_ref<float, cuda::thread_scope_device>(state->sum).fetch_add(0.5F, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<double, cuda::thread_scope_device>(state->least).fetch_min(100.0 - i);
  cuda::atomic_ref<int>(state->largest).fetch_max(i);
  cuda::std::array<int, 2> pair{i, 1};
  const auto [a, b] = cuda::std::make_tuple(pair[0], pair[1]);
  static_assert(cuda::std::is_same_v<decltype(a), const int>);
  if (a == 5 && b == 1) {
    state->message = 42;
    state->flag.store(1, cuda::memory_order_release);
    const cuda::std::complex<float> square = cuda::std::complex<float>(1, 2) * cuda::std::complex<float>(1, 2);
    state->real = square.real();
    state->magnitude = cuda::std::abs(cuda::std::complex<float>(3, 4));
    state->root = cuda::std::sqrt(cuda::std::complex<double>(-4, 0)).imag();
  }
}

int main() {
  State *state = nullptr;
  cudaMallocManaged(&state, sizeof *state);
  new (state) State;
  update<<<4, 32>>>(state);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  right &= state->count == 128 && state->bits == ~0ull && state->plain == 128 && state->sum == 64;
  right &= state->least == 100.0 - 127 && state->largest == 127 && state->real == -3;
  right &= state->magnitude == 5 && state->root == 2;
  right &= state->flag.load(cuda::memory_order_acquire) == 1 && state->message == 42;
  std::puts(right ? "PASS" : "FAIL");
}
