#include <hip/hip_runtime.h>

#include <cstdio>

void add_on_device(int *x, int y);
__global__ void set(int *x, int y) { *x = y; }

int main() {
  int *x = nullptr;
  if (hipMallocManaged(&x, sizeof *x) != hipSuccess)
    return 1;
  set<<<1, 1>>>(x, 2);
  add_on_device(x, 3);
  if (hipDeviceSynchronize() != hipSuccess)
    return 1;
  std::printf("result: %d\n", *x);
}
