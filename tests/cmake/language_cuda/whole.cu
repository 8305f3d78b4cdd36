#include "kernels.hpp"

#include <cstdio>

__global__ void add(int *x, int y) { *x += y; }

int main() {
  int *x = nullptr;
  if (cudaMallocManaged(&x, sizeof *x) != cudaSuccess)
    return 1;
  *x = 2;
  add<<<1, 1>>>(x, 3);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  std::printf("result: %d\n", *x);
}
