#include <cuda_runtime.h>

#include <cstdio>

#ifdef __CUDACC__
#error "this is host code"
#endif

int main() {
  int x = 5, y = 0, *memory = nullptr;
  const dim3 grid(1, 2);
  if (cudaMalloc(&memory, sizeof x) != cudaSuccess || cudaMemcpy(memory, &x, sizeof x, cudaMemcpyHostToDevice) ||
      cudaMemcpy(&y, memory, sizeof y, cudaMemcpyDeviceToHost) || cudaFree(memory))
    return 1;
  std::printf("result: %d\n", y * static_cast<int>(grid.x));
}
