#include <hip/hip_runtime.h>

#include <cstdio>

extern "C" int three(void);

__global__ void add(int *x, int y) { *x += y; }

int main() {
  int *x = nullptr;
  if (hipMallocManaged(&x, sizeof *x) != hipSuccess)
    return 1;
  *x = 2;
  add<<<1, 1>>>(x, three());
  if (hipDeviceSynchronize() != hipSuccess)
    return 1;
  std::printf("result: %d\n", *x);
}
