#include <cstdio>
#include <cuda_runtime.h>

extern "C" void launch(int *p, int n);

int main() {
  constexpr int n = 1000;
  int values[n], *p = nullptr;
  for (int i = 0; i < n; ++i)
    values[i] = i;
  bool right = cudaMalloc(reinterpret_cast<void **>(&p), sizeof values) == cudaSuccess;
  right &= cudaMemcpy(p, values, sizeof values, cudaMemcpyHostToDevice) == cudaSuccess;
  launch(p, n);
  right &= cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < n; ++i)
    right &= values[i] == 2 * i;
  std::puts(right ? "PASS" : "FAIL");
}
