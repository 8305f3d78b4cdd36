// levels: 0 2
// A block larger than the kernel's __launch_bounds__ is refused, with the kernel's name.
#include <cstdio>
#include <cstring>

__global__ void __launch_bounds__(64) bounded(int *out) { atomicAdd(out, 1); }
template <int Most> __global__ void __launch_bounds__(Most, 2) generic(int *out) { atomicAdd(out, 1); }
__global__ void unbounded(int *out) { atomicAdd(out, 1); }

static int *out = nullptr;

template <class Kernel> int attempt(Kernel kernel, dim3 block, cudaError_t wanted, int bound) {
  *out = 0;
  kernel<<<1, block>>>(out);
  const cudaError_t error = cudaGetLastError();
  const bool is_named = error == cudaSuccess || std::strstr(sinter_last_error(), "__launch_bounds__") != nullptr;
  cudaFuncAttributes attributes;
  if (cudaDeviceSynchronize() != cudaSuccess || cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess)
    return std::puts("no attributes"), 1;
  const int items = wanted == cudaSuccess ? static_cast<int>(block.x * block.y * block.z) : 0;
  const bool fits = bound == 0 ? attributes.maxThreadsPerBlock > 64 : attributes.maxThreadsPerBlock == bound;
  if (error == wanted && is_named && *out == items && fits)
    return 0;
  return std::printf("%s, %s, %d, %d\n", cudaGetErrorName(error), sinter_last_error(), *out,
                     attributes.maxThreadsPerBlock),
         1;
}

int main() {
  if (cudaMallocManaged(&out, sizeof(int)) != cudaSuccess)
    return std::puts("no memory"), 1;
  int failed = attempt(bounded, dim3(64), cudaSuccess, 64);
  failed |= attempt(bounded, dim3(65), cudaErrorInvalidConfiguration, 64);
  failed |= attempt(bounded, dim3(8, 8, 2), cudaErrorInvalidConfiguration, 64);
  failed |= attempt(generic<32>, dim3(4, 8), cudaSuccess, 32);
  failed |= attempt(generic<32>, dim3(33), cudaErrorInvalidConfiguration, 32);
  failed |= attempt(unbounded, dim3(128), cudaSuccess, 0);
  cudaFree(out);
  if (!failed)
    std::puts("PASS");
  return failed;
}
