// The source in CUDA of a command line with sources in three languages.
#include <cstdio>

#if !defined(__CUDACC__) || !defined(__NVCC__)
#error "this is CUDA"
#endif

int of_hip();
int of_cpp();

__global__ void set(int *x) { *x = 1; }

int main() {
  int *x = nullptr;
  if (cudaMallocManaged(&x, sizeof *x) != cudaSuccess)
    return 1;
  set<<<1, 1>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess || *x != 1 || of_hip() != 3 || of_cpp() != 5)
    return 1;
  std::puts("PASS");
}
