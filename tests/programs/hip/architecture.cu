// Code for devices alone is chosen as in a parse for devices, other code as for the host.
#include <cstdio>

#if __CUDA_ARCH__ >= 120
// Older devices have a kernel that does nothing.
__global__ void mark(int *p) { p[0] = 1; }
#else
__global__ void mark(int *) {}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *p, double value);
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *p, double value) { return *p + value; }
#endif

#ifdef __CUDA_ARCH__
#define CONSTANT 5
#else
#define CONSTANT 6
#endif

struct Chosen {
  static __device__ int of_device() {
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__ >= 700 ? 2 : 1;
#else
    return 0;
#endif
  }
  static __host__ int of_host() {
#ifdef __CUDA_ARCH__
    return 0;
#elif defined(__CUDACC__)
    return 3;
#endif
  }
  int value{};
};

template <class Type> __device__ inline Type four() {
  Type result{};
  for (int i = 0; i < 4; ++i) {
#if __CUDA_ARCH__ < 300
    result = 0;
#elif __CUDA_ARCH__ < 3000
    result += 1;
#else
    result = 0;
#endif
  }
  return result;
}

#if __CUDA_ARCH__ >= 120
int host_function() { return 0; }
__device__ int other() { return 1; }
#else
int host_function() { return 1; }
__device__ int other() { return 2; }
#endif

__global__ void choose(int *p, double *d) {
  p[1] = Chosen::of_device();
  p[2] = four<int>();
  p[3] = CONSTANT;
  p[4] = other();
  atomicAdd(d, 0.5);
}

int main() {
  int *p = nullptr, found[5] = {};
  double *d = nullptr, sum = 1;
  cudaMalloc(&p, sizeof found);
  cudaMalloc(&d, sizeof sum);
  cudaMemset(p, 0, sizeof found);
  cudaMemcpy(d, &sum, sizeof sum, cudaMemcpyHostToDevice);
  mark<<<1, 1>>>(p);
  choose<<<1, 1>>>(p, d);
  cudaMemcpy(found, p, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, d, sizeof sum, cudaMemcpyDeviceToHost);
  const bool right = found[0] == 1 && found[1] == 2 && found[2] == 4 && found[3] == 6 && found[4] == 2 &&
                     sum == 1.5 && Chosen::of_host() == 3 && host_function() == 1;
  std::puts(right ? "PASS" : "FAIL");
}
